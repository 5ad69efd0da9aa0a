import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addMadeVideos } from '#testing/add-made-videos.ts';
import { type MeasuredArchive, openMeasuredArchive } from '#testing/measured-archive.ts';
import { openTranscriptArchive } from '#testing/transcript-archive.ts';
import { percentile } from './percentile.ts';
import { makeVideos, readSpokenLines } from './search-corpus.ts';
import { openSearchPeer, type SearchPeer } from './search-peer.ts';
import { makeQuestions, type Question, questionClasses } from './search-questions.ts';

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000' },
    moments: { type: 'string', default: '600' },
    transcripts: { type: 'string', default: '../shared/media' },
    show: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
const size = { videos: Number(values.videos), moments: Number(values.moments) };
const roundsPerQuestion = 5;
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const spoken = readSpokenLines(resolve(values.transcripts));
progress(spoken.isReal ? `${spoken.lines.length} lines of real transcripts` : 'no transcripts found: made-up text');
const archive = await openTranscriptArchive({
  keep: values.keep ? join(values.keep, `${size.videos}x${size.moments}`) : undefined,
  content: JSON.stringify({ ...size, isReal: spoken.isReal, version: 1 }),
  fill: (empty) => addMadeVideos(empty.pool, makeVideos(spoken, size), progress),
});
const searched = await openMeasuredArchive(archive);
const questions = await makeQuestions(searched, spoken);
print({ limits: 'none: the domain function is asked, not the server', rounds: roundsPerQuestion });
// Once each before anything is timed: both sides answer from warm caches.
for (const { query } of questions) await searched.search(query);
const rssMB = Math.round(process.memoryUsage().rss / 1e6);
const peer = await openSearchPeer(join(archive.dataFolder, 'peer.sqlite'), searched);
try {
  const times = await timeBoth(questions, searched, peer);
  const [ours, theirs] = [figures(times, 'ours'), figures(times, 'peer')];
  const ratio = (figure: 'p50Ms' | 'p95Ms' | 'maxMs') => Math.round((ours[figure] / theirs[figure]) * 1_000) / 1_000;
  print({
    ...size,
    queries: questions.length,
    ours,
    peer: theirs,
    ratio: { p50: ratio('p50Ms'), p95: ratio('p95Ms'), max: ratio('maxMs') },
    buildMomentsPerS: Math.round((size.videos * size.moments) / archive.indexSeconds),
    indexMB: Math.round((await searched.indexBytes()) / 1e6),
    rssMB,
  });
} finally {
  peer.close();
  searched.close();
  await archive.close();
}

interface Timed extends Question {
  readonly ours: readonly number[];
  readonly peer: readonly number[];
}

/** Asks each question of both sides in turn. The peer reads the moments of its videos by the same code as we do. */
async function timeBoth(asked: readonly Question[], ourSide: MeasuredArchive, peerSide: SearchPeer): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const question of asked) {
    const { query } = question;
    const plain = await ourSide.question(query);
    const [ours, theirs]: [number[], number[]] = [[], []];
    let [ourVideos, peerVideos]: [string[], string[]] = [[], []];
    peerSide.search(plain);
    for (let round = 0; round < roundsPerQuestion; round++) {
      const startedAt = performance.now();
      ourVideos = await ourSide.search(query);
      const betweenAt = performance.now();
      peerVideos = peerSide.search(plain);
      await ourSide.readMoments(query, peerVideos);
      theirs.push(performance.now() - betweenAt);
      ours.push(betweenAt - startedAt);
    }
    timed.push({ ...question, ours, peer: theirs });
    if (values.show)
      print({ ...question, ours: ourVideos, peer: peerVideos, oursMs: percentile(ours, 0.5), peerMs: percentile(theirs, 0.5) });
  }
  return timed;
}

function figures(times: readonly Timed[], side: 'ours' | 'peer') {
  const of = (some: readonly Timed[]) => {
    const all = some.flatMap((timed) => timed[side]);
    return { p50Ms: percentile(all, 0.5), p95Ms: percentile(all, 0.95), maxMs: percentile(all, 1) };
  };
  const classes = Object.fromEntries(questionClasses.map((kind) => [kind, of(times.filter((timed) => timed.class === kind))]));
  return { ...of(times), classes };
}
