import { readFileSync } from 'node:fs';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { spokenPassagesOf } from '#domain/meaning/passages-of-film.ts';

/** An hour of talk, as people speak: 150 words a minute. */
const wordsPerSecond = 2.5;
const wordsPerLine = 12;
const linesAtOnce = 800;

/** How fast and in how much memory the sentence encoder makes vectors of speech; how well these find is what `eval` prints of the set `meaning`. */
export async function measureMeaning(): Promise<object> {
  const encoder = openMeaningProcess();
  try {
    await encoder.signs(['begin']);
    const vocabulary = 'we talk about how the harbour was built and who paid for all of the ships that sailed from there'.split(' ');
    const lines = Array.from({ length: linesAtOnce }, (_, n) =>
      Array.from({ length: wordsPerLine }, (_word, m) => vocabulary[(n * 7 + m * (1 + (n % 5))) % vocabulary.length]).join(' '),
    );
    const passages = spokenPassagesOf(lines);
    const startedAt = performance.now();
    await encoder.signs(passages.map(({ from, to }) => lines.slice(from, to).join(' ')));
    const seconds = (performance.now() - startedAt) / 1_000;
    const status = readFileSync(`/proc/${encoder.pid}/status`, 'utf8');
    const peakRssMB = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000);
    const realTimeFactor = Math.round((linesAtOnce * wordsPerLine) / wordsPerSecond / seconds);
    return { step: 'meaning', set: 'made', passages: passages.length, realTimeFactor, peakRssMB };
  } finally {
    encoder.close();
  }
}
