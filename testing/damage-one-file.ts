import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPackedContent } from '#domain/backup/contents.ts';
import { readFileList } from '#domain/backup/file-list.ts';
import { type BackupPlace, openBackupFolder } from '#domain/backup/open-backup-folder.ts';
import { listSnapshots, readSnapshot } from '#domain/backup/snapshot.ts';

/** Changes one bit of an original in a folder of backups, as an old disk does. Returns the key of the damaged file. */
export async function damageOneFile(place: BackupPlace, name = 'original'): Promise<string> {
  const folder = await openBackupFolder(place);
  const newest = (await listSnapshots(folder)).at(-1) ?? '';
  const { files } = await readSnapshot(folder, newest);
  for await (const file of readFileList(readPackedContent(folder, files))) {
    if (!file.key.endsWith(`/${name}`)) continue;
    const content = folder.content(file.sha256);
    const bytes = typeof place === 'string' ? readFileSync(content) : await readAll(await folder.files.read(content));
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    const path = typeof place === 'string' ? content : join(tmpdir(), `rushes-damaged-${randomUUID()}`);
    writeFileSync(path, bytes);
    if (path !== content) await folder.files.take(content, path);
    return file.key;
  }
  throw new Error(`The newest snapshot of ${folder.root} holds no ${name}.`);
}

async function readAll(bytes: AsyncIterable<Buffer> | null): Promise<Buffer> {
  return Buffer.concat(bytes ? await Array.fromAsync(bytes) : []);
}
