import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireWhole } from './whole-output.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-whole-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const box = (type: string, bytes: number) => {
  const head = Buffer.alloc(8 + bytes);
  head.writeUInt32BE(8 + bytes, 0);
  head.write(type, 4, 'latin1');
  return head;
};
const longBox = (type: string, bytes: number) => {
  const head = Buffer.alloc(16 + bytes);
  head.writeUInt32BE(1, 0);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(16 + bytes), 8);
  return head;
};
const segment = Buffer.concat([box('styp', 16), box('moof', 100), longBox('mdat', 5_000)]);
const picture = Buffer.from([0xff, 0xd8, 0xff, 0xdb, 1, 2, 3, 0xff, 0xd9]);
const playlist = Buffer.from('#EXTM3U\n#EXTINF:4.0,\n00000.m4s\n#EXT-X-ENDLIST\n');

test.each([
  ['00000.m4s', segment],
  ['frame.jpg', picture],
  ['index.m3u8', playlist],
])('%s is whole as a tool leaves it, and not when any part of its end is missing', async (name, bytes) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  await expect(requireWhole([path], folder)).resolves.toBeUndefined();
  for (const length of [0, 1, 7, Math.floor(bytes.length / 2), bytes.length - 3]) {
    writeFileSync(path, bytes.subarray(0, length));
    await expect(requireWhole([path], folder)).rejects.toThrow(`The tool left ${name} incomplete.`);
  }
});
