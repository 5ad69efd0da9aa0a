import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { MeasuredArchive } from '#testing/measured-archive.ts';
import { mediaFolder } from '#testing/shared-media.ts';
import { timeImport, timeTraffic, warmUp } from './http-phases.ts';
import { makeVideos, readSpokenLines } from './search-corpus.ts';
import { makeQuestions, type Question } from './search-questions.ts';
import { whileServed } from './serve-made-archive.ts';

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000' },
    moments: { type: 'string', default: '600' },
    /** Of each phase. */
    seconds: { type: 'string', default: '15' },
    /** Videos that are imported while others search; 0 leaves that out. */
    import: { type: 'string', default: '1000' },
    transcripts: { type: 'string', default: mediaFolder },
    keep: { type: 'string' },
  },
});
const size = { videos: Number(values.videos), moments: Number(values.moments) };
const imported = Number(values.import);
/** So many that hardly one comes again: an archive at rest could answer the few of the other phases without searching. */
const manyOthers = { perClass: 250, seed: 8 };
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const spoken = readSpokenLines(resolve(values.transcripts));
progress(spoken.isReal ? `${spoken.lines.length} lines of real transcripts` : 'no transcripts found: made-up text');
const learn = async (searched: MeasuredArchive) => ({
  questions: (await makeQuestions(searched, spoken)).filter(isSearch),
  others: imported > 0 ? (await makeQuestions(searched, spoken, manyOthers)).filter(isSearch) : [],
});
await whileServed(size, { spoken, keep: values.keep, progress, learn }, async ({ archive, known: { questions, others }, workFolder }) => {
  print({ ...size, secondsPerPhase: Number(values.seconds), queries: questions.length, limits: archive.limits });
  const made = () => makeVideos(spoken, { ...size, videos: Number.POSITIVE_INFINITY });
  const run = { archive, made, phaseMs: Number(values.seconds) * 1_000, progress };
  await timeTraffic({ ...run, questions: await warmUp(archive, questions) }, print);
  if (imported > 0) await timeImport({ ...run, questions: await warmUp(archive, others) }, { videos: imported, workFolder, print });
});

/** Names for the search box come by another route. */
function isSearch({ class: kind }: Question): boolean {
  return kind !== 'suggest';
}
