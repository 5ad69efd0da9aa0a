import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredArchive } from '#testing/measured-archive.ts';
import { serveArchive } from '#testing/served-archive.ts';
import { timeImport, timeTraffic, warmUp } from './http-phases.ts';
import { openMadeArchive } from './made-archive.ts';
import { makeVideos, readSpokenLines } from './search-corpus.ts';
import { makeQuestions, type Question } from './search-questions.ts';

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000' },
    moments: { type: 'string', default: '600' },
    /** Of each phase. */
    seconds: { type: 'string', default: '15' },
    /** Videos that are imported while others search; 0 leaves that out. */
    import: { type: 'string', default: '1000' },
    transcripts: { type: 'string', default: '../shared/media' },
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
const workFolder = mkdtempSync(join(tmpdir(), 'rushes-http-'));
try {
  const servedFolder = join(workFolder, 'served');
  const { questions, others } = await prepare(servedFolder);
  const archive = await serveArchive(servedFolder);
  try {
    print({ ...size, secondsPerPhase: Number(values.seconds), queries: questions.length, limits: archive.limits });
    const made = () => makeVideos(spoken, { ...size, videos: Number.POSITIVE_INFINITY });
    const run = { archive, made, phaseMs: Number(values.seconds) * 1_000, progress };
    await timeTraffic({ ...run, questions: await warmUp(archive, questions) }, print);
    if (imported > 0) await timeImport({ ...run, questions: await warmUp(archive, others) }, { videos: imported, workFolder, print });
  } finally {
    await archive.stop();
  }
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

/** Makes the archive, or takes the one that was kept, and puts a copy of it into `servedFolder`: what is added there is gone afterwards. */
async function prepare(servedFolder: string): Promise<{ questions: Question[]; others: Question[] }> {
  const archive = await openMadeArchive(size, { spoken, keep: values.keep ?? workFolder, progress });
  const searched = await openMeasuredArchive(archive);
  const questions = await makeQuestions(searched, spoken);
  const others = imported > 0 ? await makeQuestions(searched, spoken, manyOthers) : [];
  searched.close();
  await archive.close();
  const isOfArchive = (path: string) => !path.includes('peer.sqlite');
  cpSync(archive.dataFolder, servedFolder, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: isOfArchive });
  // Names for the search box come by another route.
  const isSearch = ({ class: kind }: Question) => kind !== 'suggest';
  return { questions: questions.filter(isSearch), others: others.filter(isSearch) };
}
