import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';

interface StoredObject {
  readonly bytes: Buffer;
  readonly modifiedAt: Date;
  readonly etag: string;
}

/** What goes wrong with a request: it is refused, cut off before or in the middle of its answer, never answered, late or not to its end, or its bytes change on the way. */
export type Mischief = 'refuse' | 'cut' | 'cut-in-the-middle' | 'silence' | 'stops' | 'late' | 'change' | 'forbid';

/** When a late answer begins. */
export const lateMs = 900;

/** A server at the network's edge that speaks as much of S3 as the archive does, and fails as it is told. It checks no signature. */
export interface StandInS3 {
  readonly settings: S3Settings;
  /** Says what is to go wrong with a request; nothing where it says undefined. */
  fail: (request: { readonly method: string; readonly name: string; readonly query: URLSearchParams }) => Mischief | undefined;
  readonly requests: string[];
  /** Parts of uploads that were neither ended nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  readonly objects: Map<string, StoredObject>;
  close(): Promise<void>;
}

/** Starts one with an empty bucket. */
export async function startStandInS3(): Promise<StandInS3> {
  const server = createServer((request, response) => {
    answer(standIn, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: StandInS3 = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'stand-in',
      region: 'here',
      accessKey: 'key',
      secretKey: 'secret',
      pathStyle: true,
    },
    fail: () => undefined,
    requests: [],
    uploads: new Map(),
    objects: new Map(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return standIn;
}

async function answer(standIn: StandInS3, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const url = new URL(request.url ?? '', standIn.settings.endpoint);
  const name = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
  const [method, query] = [request.method ?? '', url.searchParams];
  standIn.requests.push(`${method} ${name}${url.search}`);
  const mischief = standIn.fail({ method, name, query });
  if (mischief === 'silence') return undefined;
  if (mischief === 'stops') return response.writeHead(200, { 'content-length': 1_000 }).write('<');
  if (mischief === 'late') await wait(lateMs);
  if (mischief === 'cut') return response.destroy();
  const sent = await buffer(request);
  if (mischief === 'refuse') return sendError(response, 503, 'SlowDown');
  if (mischief === 'forbid') return sendError(response, 403, 'AccessDenied');
  const body = mischief === 'change' ? Buffer.concat([sent.subarray(1), Buffer.from('!')]) : sent;
  const md5 = request.headers['content-md5'];
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) return sendError(response, 400, 'BadDigest');
  if (method === 'GET' && query.has('list-type')) return sendList(standIn, query, response);
  if (method === 'GET') return sendObject(standIn.objects.get(name), { request, response, isCut: mischief === 'cut-in-the-middle' });
  // It has come about, and nobody is told.
  if (mischief === 'cut-in-the-middle') response.socket?.destroy();
  return change(standIn, { method, name, query, body, from: request.headers['x-amz-copy-source'] }, response);
}

interface Change {
  readonly method: string;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly from: string | string[] | undefined;
}

function change({ objects, uploads }: StandInS3, { method, name, query, body, from }: Change, response: ServerResponse): unknown {
  const keep = (bytes: Buffer, etag = md5Of(bytes)) => objects.set(name, { bytes, modifiedAt: new Date(), etag });
  const upload = query.get('uploadId');
  const parts = uploads.get(upload ?? '');
  if (upload !== null && !parts) return sendError(response, 404, 'NoSuchUpload');
  if (method === 'DELETE') {
    if (upload === null) objects.delete(name);
    else uploads.delete(upload);
    return response.writeHead(204).end();
  }
  if (method === 'POST' && query.has('uploads')) {
    const id = randomBytes(8).toString('hex');
    uploads.set(id, new Map());
    return sendXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (method === 'POST' && parts) {
    const sorted = [...parts].sort(([first], [second]) => first - second).map(([, bytes]) => bytes);
    const etag = `${md5Of(Buffer.concat(sorted))}-${sorted.length}`;
    keep(Buffer.concat(sorted), etag);
    uploads.delete(upload ?? '');
    return sendXml(response, `<CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`);
  }
  if (parts) {
    parts.set(Number(query.get('partNumber')), body);
    return response.writeHead(200, { etag: `"${md5Of(body)}"` }).end();
  }
  if (from !== undefined) {
    const source = objects.get(decodeURIComponent(String(from)).split('/').slice(2).join('/'));
    if (!source) return sendError(response, 404, 'NoSuchKey');
    keep(source.bytes, source.etag);
    return sendXml(response, `<CopyObjectResult><ETag>"${source.etag}"</ETag></CopyObjectResult>`);
  }
  keep(body);
  return response.writeHead(200, { etag: `"${md5Of(body)}"` }).end();
}

function sendObject(
  found: StoredObject | undefined,
  { request, response, isCut }: { request: IncomingMessage; response: ServerResponse; isCut: boolean },
): unknown {
  if (!found) return sendError(response, 404, 'NoSuchKey');
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const size = found.bytes.length;
  const [start, end] = [Number(first ?? 0), Math.min(size, last ? Number(last) + 1 : size)];
  if (first !== undefined && start >= size) return sendError(response, 416, 'InvalidRange');
  const part = found.bytes.subarray(start, end);
  response.writeHead(first === undefined ? 200 : 206, {
    ...(first === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    'content-length': part.length,
    'last-modified': found.modifiedAt.toUTCString(),
    etag: `"${found.etag}"`,
  });
  if (!isCut) return response.end(part);
  return response.write(part.subarray(0, Math.ceil(part.length / 2)), () => response.destroy());
}

function sendList({ objects }: StandInS3, query: URLSearchParams, response: ServerResponse): void {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('continuation-token') ?? '';
  const folderOf = (name: string) =>
    delimiter && name.slice(prefix.length).includes('/') ? `${prefix}${name.slice(prefix.length).split('/')[0]}/` : name;
  const names = [...new Set([...objects.keys()].filter((name) => name.startsWith(prefix)).map(folderOf))].sort();
  const left = names.filter((name) => name > after);
  const page = left.slice(0, Number(query.get('max-keys')));
  const entries = page.map((name) => {
    const object = objects.get(name);
    if (!object) return `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
    const { bytes, modifiedAt, etag } = object;
    return `<Contents><Key>${name}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const isTruncated = left.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  sendXml(response, `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`);
}

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

function sendXml(response: ServerResponse, xml: string): ServerResponse {
  return response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

function sendError(response: ServerResponse, status: number, code: string): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
