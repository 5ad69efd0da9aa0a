import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { makeMeaning } from '#testing/made-meaning.ts';
import { type SearchServer, startSearchServer } from '#testing/search-server.ts';
import { importCorpora, openTranscriptArchive, type TranscriptArchive } from '#testing/transcript-archive.ts';
import { type Finding, judge, type Need, type PageOfVideos, readNeedsBySet } from './find-needs.ts';
import { percentile } from './percentile.ts';

const usage = 'Usage: npm run -s eval -- --corpus FILE… --queries FILE [--keep DIR] [--set NAME] [--meaning]';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string', multiple: true },
    queries: { type: 'string' },
    keep: { type: 'string' },
    set: { type: 'string' },
    meaning: { type: 'boolean' },
  },
});
const corpora = [...(values.corpus ?? []), ...positionals].map((file) => resolve(file));
if (corpora.length === 0 || !values.queries) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}

const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const needsBySet = [...readNeedsBySet(values.queries)].filter(([set]) => values.set === undefined || values.set === set);
const archive = await openTranscriptArchive({
  keep: values.keep,
  content: corpora.join('\n'),
  fill: (empty) => importCorpora(empty, corpora, progress),
});
// To encode hours of speech takes minutes: where no set asks for meaning, its few needs are met by words.
if (values.meaning || needsBySet.some(([set]) => set === 'meaning')) {
  const children = Math.min(4, availableParallelism());
  await makeMeaning(archive.pool, { children, progress: (films) => progress(`meaning of ${films} films`) });
}
const server = await startSearchServer(archive);
try {
  print({ limits: { searches: server.limits } });
  const documents = await documentsOf(archive);
  for (const [set, needs] of needsBySet) print({ set, ...(await askAll(needs, documents, server)) });
} finally {
  await server.close();
  await archive.close();
}

/** Asks every need of a set over HTTP, prints the missed ones and the figures of each kind, and returns those of all. */
async function askAll(needs: readonly Need[], documents: ReadonlyMap<string, string>, searching: SearchServer): Promise<object> {
  await ask('warm up', searching);
  // What encodes queries begins with the first one that words answer badly.
  for (const need of needs.slice(0, 3)) await ask(need.query, searching);
  const counts = nothingYet();
  const ofKinds = new Map<string, Counts>();
  const times: number[] = [];
  for (const need of needs) {
    const startedAt = performance.now();
    const { results } = await ask(need.query, searching);
    times.push(performance.now() - startedAt);
    const page = results.map(
      (video): PageOfVideos => ({
        doc: documents.get(video.id) ?? '',
        matchSeconds: video.searchMatches.map(({ startTime }) => secondsOf(startTime)),
      }),
    );
    const finding = judge(need, page);
    const ofKind = ofKinds.get(need.kind) ?? nothingYet();
    ofKinds.set(need.kind, ofKind);
    for (const each of [counts, ofKind]) count(each, finding);
    if (!finding.first || !finding.in12 || !finding.rightSecond) print({ missed: need.id, kind: need.kind, query: need.query, ...finding });
  }
  for (const [kind, figures] of ofKinds) print({ ofKind: kind, ...figures });
  const known = new Set(documents.values());
  const absent = needs.filter(({ expect, alsoAcceptable }) => ![expect, ...alsoAcceptable].some(({ doc }) => known.has(doc))).length;
  // Needs of films that the corpora do not hold cannot be met by any search.
  return { ...counts, ...(absent > 0 ? { absent } : {}), p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** How many needs were asked, and how many of them were met in each way. */
interface Counts {
  queries: number;
  first: number;
  in12: number;
  rightSecond: number;
}

function nothingYet(): Counts {
  return { queries: 0, first: 0, in12: 0, rightSecond: 0 };
}

function count(counts: Counts, finding: Finding): void {
  counts.queries += 1;
  if (finding.first) counts.first += 1;
  if (finding.in12) counts.in12 += 1;
  if (finding.rightSecond) counts.rightSecond += 1;
}

async function ask(query: string, { searchAddress, accessToken }: SearchServer): Promise<SearchResponse> {
  const asked = { privacy: 'Private', pageSize: '12', skip: '0', language: 'English', searchInPublicAccount: 'false', state: 'Processed' };
  const response = await fetch(`${searchAddress}?${new URLSearchParams({ ...asked, query, accessToken })}`);
  if (!response.ok) throw new Error(`The search answered ${response.status}: ${await response.text()}`);
  return SearchResponse.parse(await response.json());
}

/** The corpus' own name of each video. */
async function documentsOf({ pool }: TranscriptArchive): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; doc: string }>('select id, external_id as doc from videos');
  return new Map(rows.map(({ id, doc }) => [id, doc]));
}

/** `hh:mm:ss` with decimals, days before it beyond one day. */
function secondsOf(startTime: string): number {
  const [, days = '0', hours, minutes, seconds] = /^(?:(\d+)\.)?(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(startTime) ?? [];
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
