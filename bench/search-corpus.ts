import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { type SeededRandom, seededRandom } from '#testing/seeded-random.ts';

const Record = z.object({
  title: z.string(),
  people: z.array(z.string()).default([]),
  labels: z.array(z.string()).default([]),
  lines: z.array(z.object({ text: z.string() })),
});

/** Lines that people really said, or made-up ones, and what such talks are called. */
export interface SpokenLines {
  readonly isReal: boolean;
  readonly lines: readonly string[];
  readonly titles: readonly string[];
  readonly names: readonly string[];
  readonly labels: readonly string[];
}

const corpusFiles = ['corpus-open.jsonl.gz', 'corpus-open-more.jsonl.gz'];

/** The lines of the shared transcripts in `folder`; made-up text where they are absent. */
export function readSpokenLines(folder: string): SpokenLines {
  const files = corpusFiles.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (files.length === 0) return madeUpLines();
  const records = files.flatMap((path) =>
    gunzipSync(readFileSync(path))
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Record.parse(JSON.parse(line))),
  );
  return {
    isReal: true,
    lines: records.flatMap((record) => record.lines.map(({ text }) => text)),
    titles: records.map(({ title }) => title),
    names: [...new Set(records.flatMap(({ people }) => people))],
    labels: [...new Set(records.flatMap(({ labels }) => labels))],
  };
}

function madeUpLines(): SpokenLines {
  const random = seededRandom(1);
  const syllables =
    'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
      ' ',
    );
  const word = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join('');
  const words = Array.from({ length: 60_000 }, word);
  // Squared, so that a few words are frequent and most are rare, as in speech.
  const line = () => Array.from({ length: 8 + random.below(8) }, () => words[Math.floor(random.next() ** 3 * words.length)]).join(' ');
  const lines = Array.from({ length: 200_000 }, line);
  return { isReal: false, lines, titles: lines.slice(0, 2_000), names: words.slice(0, 2_000), labels: words.slice(2_000, 2_200) };
}

/** A catalogue record as `npm run import -- --transcripts` takes it. */
export interface MadeVideo {
  readonly id: string;
  readonly title: string;
  readonly durationSeconds: number;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly lines: readonly { start: number; end: number; text: string }[];
  readonly ocr: readonly { start: number; end: number; text: string }[];
}

const secondsPerLine = 5;
const writtenShare = 0.13;

/** Recombines lines in runs as they follow each other: mostly spoken, some of them as written on screen. */
export function* makeVideos(spoken: SpokenLines, { videos, moments }: { videos: number; moments: number }): Generator<MadeVideo> {
  const random = seededRandom(20_261_120);
  for (let n = 0; n < videos; n++) {
    const from = random.below(spoken.lines.length);
    const lines = Array.from({ length: moments }, (_, m) => ({
      start: m * secondsPerLine,
      end: (m + 1) * secondsPerLine,
      text: spoken.lines[(from + m) % spoken.lines.length] ?? '',
    }));
    const written = new Set(lines.filter(() => random.next() < writtenShare));
    yield {
      id: `made-${n}`,
      title: random.pick(spoken.titles) ?? '',
      durationSeconds: moments * secondsPerLine,
      people: some(random, spoken.names, 3),
      labels: some(random, spoken.labels, 3),
      lines: lines.filter((line) => !written.has(line)),
      ocr: lines.filter((line) => written.has(line)),
    };
  }
}

function some(random: SeededRandom, list: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => random.pick(list)).filter((item) => item !== undefined);
}
