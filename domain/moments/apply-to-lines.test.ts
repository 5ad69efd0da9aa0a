import { expect, test } from 'vitest';
import { applyToLines } from './apply-to-lines.ts';
import type { CorrectedLine, Line } from './corrections.ts';

const line = (startMs: number, text: string, endMs = startMs + 2_000): Line => ({ startMs, endMs, text, speaker: null });
let lastId = 0;

interface Made {
  /** Null where the line is added. */
  readonly was: Line | null;
  /** Null where the line is removed. */
  readonly are: Line | null;
  readonly isUndone?: boolean;
}

/** What lines say once these were corrected, one after the other: their beginnings and words. */
function told(heard: readonly Line[], ...changes: Made[]): [startMs: number, text: string][] {
  const lines: CorrectedLine[] = heard.map(({ startMs, endMs, text }) => ({
    moment: { kind: 'Transcript', startMs, endMs, text, source: 'machine', confidencePercent: 60 },
  }));
  for (const { was, are, isUndone = false } of changes) {
    const { startMs = 0, endMs = 0 } = was ?? are ?? {};
    applyToLines(lines, {
      id: ++lastId,
      target: {
        layer: 'captions',
        kind: 'Transcript',
        startMs,
        endMs,
        replaces: '',
        lines: { was: was ? [was] : [], are: are ? [are] : [], isAll: false },
      },
      says: are?.text ?? '',
      undone: isUndone ? { by: 'bo', at: new Date(1) } : null,
    });
  }
  return lines.map(({ moment }) => [moment.startMs, moment.text]);
}

test('what was corrected in a line that stood far away still finds it when that move is taken back', () => {
  const heard = [line(0, 'teh tern'), line(3_000, 'roger')];
  const moved = { was: line(0, 'teh tern'), are: line(60_000, 'teh tern') };
  const mended = { was: line(60_000, 'teh tern'), are: line(60_000, 'the tern') };
  const roger: [number, string] = [3_000, 'roger'];
  expect(told(heard, moved, mended)).toEqual([roger, [60_000, 'the tern']]);
  expect(told(heard, { ...moved, isUndone: true }, mended)).toEqual([[0, 'the tern'], roger]);
});

test('a line that was removed is taken out of a longer one that says its words by now, and nothing stands for no time', () => {
  const removed = { was: line(10_000, 'um you know'), are: null };
  expect(told([line(8_000, 'So um you know we went', 14_000)], removed)).toEqual([[8_000, 'So we went']]);
  expect(told([line(8_000, 'So um', 10_500), line(10_500, 'you know we went', 14_000)], removed)).toEqual([
    [8_000, 'So'],
    [10_500, 'we went'],
  ]);
});

test('a line that is added stands beside one in the same words a moment away, and once it is heard where it was added it stands there once', () => {
  const added = { was: null, are: line(10_000, 'Yes.', 10_800) };
  const [before, after]: [number, string][] = [
    [9_200, 'Yes.'],
    [10_900, 'Yes.'],
  ];
  const here: [number, string] = [10_000, 'Yes.'];
  const around = [line(9_200, 'Yes.', 10_000), line(10_900, 'Yes.', 11_500)];
  expect(told(around, added)).toEqual([before, here, after]);
  const later = line(10_150, 'Yes.', 10_700);
  expect(
    told(
      [...around, later].toSorted((a, b) => a.startMs - b.startMs),
      added,
    ),
  ).toEqual([before, here, after]);
  expect(told([line(9_850, 'Yes.', 9_990)], added)).toEqual([here]);
});

test('of lines that begin at once a correction changes the one that says what it replaces, also when another says by now what it says', () => {
  const no = line(2_000, 'No.', 5_000);
  expect(told([line(2_000, 'Yes!', 3_000), line(2_000, 'Yes.'), no], { was: no, are: { ...no, text: 'Yes.' } })).toEqual([
    [2_000, 'Yes!'],
    [2_000, 'Yes.'],
    [2_000, 'Yes.'],
  ]);
  const twice = { was: line(2_000, 'teh'), are: line(2_000, 'the') };
  expect(told([twice.was, twice.was], twice, twice).map(([, text]) => text)).toEqual(['the', 'the']);
});
