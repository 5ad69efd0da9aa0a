import { StoreAway } from '../store-away.ts';
import type { S3Client } from './s3-client.ts';

const pageSize = 1_000;

export interface ListedObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Every object whose name begins so, in order of names. Throws StoreAway. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  for await (const { Key, Size, LastModified } of pagesOf(client, prefix, {}))
    yield { name: Key, sizeBytes: Size, modifiedAt: LastModified };
}

/** What stands between `prefix`, which ends in a slash, and the next slash, once each. Throws StoreAway. */
export async function listFolders(client: S3Client, prefix: string): Promise<string[]> {
  const found = await Array.fromAsync(pagesOf(client, prefix, { delimiter: '/' }));
  return found.flatMap(({ Key }) => (Key.endsWith('/') ? Key.slice(prefix.length, -1) : []));
}

async function* pagesOf(client: S3Client, prefix: string, options: Record<string, string>) {
  for (let token: string | undefined; ; ) {
    const page = await client.ask((s3) => s3.listObjectsPaged('/', prefix, pageSize, token, options));
    if (!page?.objects) throw new StoreAway('the bucket is not there');
    yield* page.objects;
    token = page.nextContinuationToken;
    if (token === undefined) return;
  }
}
