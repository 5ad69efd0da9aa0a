import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type IndexState, makeIndexStateReader, writeIndexState } from './index-state.ts';

const stateOf = (batch: number): IndexState => {
  const rows = { mainRows: 0, recentRows: 0, recent: 0, rowWords: { bytes: 0, rows: 0 }, files: null, parts: [] };
  return { format: 3, generation: 'g-1', batch, versions: {}, ...rows };
};

test('readers see a state as soon as it is written, and read one anew that could not be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-state-'));
  try {
    const read = makeIndexStateReader(folder);
    expect(await read()).toBeNull();
    mkdirSync(join(folder, 'g-1'));
    await writeIndexState(folder, stateOf(1));
    expect(await read()).toEqual(stateOf(1));
    await writeIndexState(folder, stateOf(2));
    expect(await read()).toEqual(stateOf(2));

    // The same file by all that tells it from another one: unreadable, and readable again.
    const [path, text, since] = [join(folder, 'current.json'), JSON.stringify(stateOf(3)), new Date(1_000_000)];
    const put = (content: string) => {
      writeFileSync(path, content);
      utimesSync(path, since, since);
    };
    put(text.replace('{', '!'));
    expect(await read()).toBeNull();
    put(text);
    expect(await read()).toEqual(stateOf(3));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
