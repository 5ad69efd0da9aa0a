import { existsSync, mkdirSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openMeasuredArchive } from '#testing/measured-archive.ts';
import { mediaFolder } from '#testing/shared-media.ts';
import { type ArchiveSize, madeArchiveFolder, openMadeArchive } from './made-archive.ts';
import { percentile } from './percentile.ts';
import { readSpokenLines } from './search-corpus.ts';
import { searchInFreshProcess } from './search-fresh.ts';
import { makeQuestions } from './search-questions.ts';

/*
 * npm run -s bench:scale prints how an index grows: for each size what it takes to build, to keep, to hold in memory and to ask, and by how
 * much all of that rises from one size to the next, in JSON lines. It ends with 1 when a bar is missed.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    /** One more size after those, which takes hours and is kept. */
    videos: { type: 'string' },
    moments: { type: 'string', default: '100' },
    /** Of each class. */
    questions: { type: 'string', default: '40' },
    transcripts: { type: 'string', default: mediaFolder },
    keep: { type: 'string' },
  },
});
/** Fewer have no words that some of them hold and most do not, which questions are made of. */
const videosMin = 40;
const bars = { p95Ms: 250, rssMB: 4_000 };
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const moments = Number(values.moments);
const sizes = [...values.sizes.split(','), ...(values.videos ? [values.videos] : [])].map((videos) => ({
  videos: Number(videos),
  moments,
}));
const largest = Math.max(...sizes.map(diskBytes));
const folder = resolve(values.keep ?? tmpdir());
const fault = await findFault();
if (fault) {
  progress(fault);
  process.exitCode = 1;
} else {
  await measureAll();
}

/**
 * An estimate, kept a fifth above what was measured: 100,000 videos of 100 moments took 4.7 GB of rows, their journal and index, of 300 moments
 * 11.5 GB, and a merge writes most of an index (150 bytes a moment) once more beside itself.
 */
function diskBytes(size: ArchiveSize): number {
  return size.videos * (16_000 + size.moments * 600);
}

async function findFault(): Promise<string | undefined> {
  if (sizes.some(({ videos }) => !(Number.isInteger(videos) && videos >= videosMin)) || !(Number.isInteger(moments) && moments > 0))
    return `Sizes are whole numbers of videos from ${videosMin} up, parted by commas; --moments is one as well.`;
  if (values.videos && !values.keep) return 'A size of --videos takes hours to make: name a folder for it by --keep.';
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  // Those that are kept lie beside each other, some of them of an earlier run.
  const lacking = await Promise.all(sizes.map(async (size) => Math.max(0, diskBytes(size) - (await bytesKept(size)))));
  const needed = values.keep ? lacking.reduce((sum, bytes) => sum + bytes, 0) : largest;
  if (bavail * bsize >= needed) return undefined;
  return `This takes about ${gigabytes(needed)} GB, and ${folder} has ${gigabytes(bavail * bsize)} GB left. Name another disk by --keep, or smaller sizes.`;
}

async function bytesKept(size: ArchiveSize): Promise<number> {
  const kept = madeArchiveFolder(folder, size);
  if (!existsSync(kept)) return 0;
  const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const each = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 1e8) / 10;
}

async function measureAll(): Promise<void> {
  const spoken = readSpokenLines(resolve(values.transcripts));
  progress(spoken.isReal ? `${spoken.lines.length} lines of real transcripts` : 'no transcripts found: made-up text');
  let before: Measured | undefined;
  for (const size of sizes) {
    const measured = await measure(size, spoken);
    print(measured);
    if (before) print(growth(before, measured));
    if (measured.p95Ms > bars.p95Ms || measured.rssMB > bars.rssMB) process.exitCode = 1;
    before = measured;
  }
}

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(size: ArchiveSize, spoken: ReturnType<typeof readSpokenLines>) {
  const archive = await openMadeArchive(size, { spoken, keep: values.keep, progress });
  const searched = openMeasuredArchive(archive);
  try {
    const questions = await makeQuestions(searched, spoken, { perClass: Number(values.questions) });
    const fresh = await searchInFreshProcess(archive, questions);
    const ask = async ({ class: kind, query }: (typeof questions)[number]) => {
      const startedAt = performance.now();
      await (kind === 'suggest' ? searched.suggest(query) : searched.search(query));
      return performance.now() - startedAt;
    };
    // Once each before anything is timed, and then once: no answer is kept.
    for (const question of questions) await ask(question);
    const timesMs: number[] = [];
    for (const question of questions) timesMs.push(await ask(question));
    const indexBytes = await searched.indexBytes();
    const all = size.videos * size.moments;
    return {
      check: 'scale',
      ...size,
      queries: questions.length,
      databaseMomentsPerS: Math.round(all / archive.fillSeconds),
      indexMomentsPerS: Math.round(all / archive.indexSeconds),
      indexMB: Math.round(indexBytes / 1e5) / 10,
      indexBytesPerMoment: Math.round(indexBytes / all),
      /** What a process holds that has answered every question once, in all and for searching. */
      rssMB: fresh.rssMB,
      memoryMB: fresh.memoryMB,
      p50Ms: percentile(timesMs, 0.5),
      p95Ms: percentile(timesMs, 0.95),
      maxMs: percentile(timesMs, 1),
    };
  } finally {
    searched.close();
    await archive.close();
  }
}

/** How many times as much the larger one takes. */
function growth(smaller: Measured, larger: Measured) {
  const times = (of: (one: Measured) => number) => Math.round((of(larger) / of(smaller)) * 100) / 100;
  return {
    check: 'scale-growth',
    fromVideos: smaller.videos,
    toVideos: larger.videos,
    moments: times((one) => one.videos * one.moments),
    indexMB: times((one) => one.indexMB),
    memoryMB: times((one) => one.memoryMB),
    rssMB: times((one) => one.rssMB),
    p50Ms: times((one) => one.p50Ms),
    p95Ms: times((one) => one.p95Ms),
    maxMs: times((one) => one.maxMs),
    databaseMomentsPerS: times((one) => one.databaseMomentsPerS),
    indexMomentsPerS: times((one) => one.indexMomentsPerS),
  };
}
