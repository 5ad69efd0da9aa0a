import { readFileSync, writeFileSync } from 'node:fs';
import { backupFolder } from '#domain/backup/backup-folder.ts';
import { readPackedContent } from '#domain/backup/contents.ts';
import { readFileList } from '#domain/backup/file-list.ts';
import { listSnapshots, readSnapshot } from '#domain/backup/snapshot.ts';

/** Changes one bit of an original in a folder of backups, as an old disk does. Returns the key of the damaged file. */
export async function damageOneFile(path: string, name = 'original'): Promise<string> {
  const folder = backupFolder(path);
  const newest = (await listSnapshots(folder)).at(-1) ?? '';
  const { files } = await readSnapshot(folder, newest);
  for await (const file of readFileList(readPackedContent(folder, files))) {
    if (!file.key.endsWith(`/${name}`)) continue;
    const bytes = readFileSync(folder.content(file.sha256));
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    writeFileSync(folder.content(file.sha256), bytes);
    return file.key;
  }
  throw new Error(`The newest snapshot of ${path} holds no ${name}.`);
}
