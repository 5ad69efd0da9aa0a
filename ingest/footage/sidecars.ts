import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readSidecarName, type SidecarName } from '#contract/footage-names.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { parseOhmsFacts } from '#domain/existing-work/ohms.ts';
import { parseRecognisedSpeech } from '#domain/existing-work/read-transcript.ts';
import { parseVideoIndexFacts } from '#domain/existing-work/video-index.ts';
import { readStored } from '#domain/files/read-stored.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { SidecarFile } from '#domain/footage/add-sidecar.ts';
import { type FootageFacts, noFacts, readFactsFile } from '#domain/footage/footage-facts.ts';
import { type KeptSidecar, type keepSidecars, listKeptSidecars, readTold } from '#domain/footage/kept-sidecars.ts';
import { decodeUnicode } from '#domain/subtitles/decode-text.ts';
import { parseSubtitles } from '#domain/subtitles/read-subtitles.ts';
import { errorCodeOf, isForbidden } from '#domain/system/error-code.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import type { HeardSpeech } from '#domain/transcripts/heard-line.ts';

export interface Sidecars {
  readonly facts: FootageFacts;
  readonly subtitles: readonly SpokenText[];
  /** What recognisers of speech wrote. */
  readonly transcripts: readonly SpokenText[];
  readonly remarks: readonly string[];
}

interface SpokenText {
  readonly path: string;
  readonly language: string | null;
}

/** What lies beside a film under its name: `name.json`, `name.srt`, `name.en.vtt`, `name.chapters.vtt`, `name.whisper.json`. */
export async function findSidecars(filmPath: string): Promise<Sidecars> {
  const { files, isAll } = await listSidecars(filmPath);
  const remarks = isAll ? [] : ['a link or special file beside it was ignored'];
  const subtitles: SpokenText[] = [];
  const transcripts: SpokenText[] = [];
  const chapters: Chapter[] = [];
  let facts = noFacts;
  for (const { as, path } of files) {
    if (as.holds === 'subtitles') {
      const fault = await faultOf(path);
      if (fault) remarks.push(`${basename(path)} not used (${fault})`);
      else subtitles.push({ path, language: as.language });
      continue;
    }
    if (as.holds === 'chapters') {
      const bytes = await readWithinLimit(path);
      const found = typeof bytes === 'string' ? [] : readChapters(bytes);
      if (found.length === 0) remarks.push(`chapters not used (${typeof bytes === 'string' ? bytes : 'none found'})`);
      chapters.push(...found);
      continue;
    }
    const read = await readFactsOrTranscript(path, as);
    if (read.facts) facts = read.facts;
    if (read.transcript) transcripts.push(read.transcript);
    remarks.push(...read.remarks);
  }
  return { facts: withChapters(facts, chapters), subtitles, transcripts, remarks };
}

async function listSidecars(filmPath: string): Promise<{ files: SidecarFile[]; isAll: boolean }> {
  const folder = dirname(filmPath);
  const named = (await readdir(folder, { withFileTypes: true })).flatMap((entry) => {
    const as = readSidecarName(entry.name, basename(filmPath));
    return as ? [{ entry, as }] : [];
  });
  // A link may lead to any file of this machine, and a pipe is never read to its end.
  const files = named.filter(({ entry }) => entry.isFile()).sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  return {
    files: files.map(({ entry: { name }, as }) => ({ fileName: name, as, path: join(folder, name) })),
    isAll: files.length === named.length,
  };
}

interface Beside {
  readonly filmPath: string;
  readonly facts: FootageFacts;
}

/** What lies beside a film that was brought in before and may not have come with it: facts and chapters only where they say something else. */
export async function newBeside(store: FileStore, below: string, { filmPath, facts }: Beside): Promise<SidecarFile[]> {
  const [kept, { files }] = [await readKeptSidecars(store, below), await listSidecars(filmPath)];
  const isKnown = isDeepStrictEqual(parseJson(JSON.stringify(kept.facts)), parseJson(JSON.stringify(facts)));
  return files.filter(({ as: { holds } }) => !isKnown || holds === 'subtitles' || holds === 'transcript');
}

/** A chapter stands as a label for as long as it is. */
type Chapter = Exclude<FootageFacts['labels'][number], string>;

/** None where the file cannot be read: that never stops its film. */
function readChapters(bytes: Uint8Array): Chapter[] {
  try {
    const { cues } = parseSubtitles(bytes);
    return cues.map(({ startMs, endMs, text }) => ({ name: text, at: [{ start: startMs / 1_000, end: endMs / 1_000 }] }));
  } catch {
    return [];
  }
}

function withChapters(facts: FootageFacts, chapters: readonly Chapter[]): FootageFacts {
  return { ...facts, labels: [...facts.labels, ...chapters].slice(0, serverLimits.namesPerFilmMax) };
}

/** What was kept with a video; its texts lie in the store. */
interface KeptSidecars {
  readonly facts: FootageFacts;
  readonly subtitles: readonly KeptText[];
  readonly transcripts: readonly KeptText[];
  /** What the footage was called; empty where it was kept without its name. */
  readonly fileName: string;
  /** What of them could not be used. */
  readonly remarks: readonly string[];
}

interface KeptText {
  readonly key: string;
  readonly language: string | null;
}

/** What of an import is kept with its film: its facts were read, what was said is read by the steps. */
export function toKeep({ facts, subtitles, transcripts }: Sidecars, fileName: string): Parameters<typeof keepSidecars>[2] {
  const textsOf = (holds: 'subtitles' | 'transcript', texts: readonly SpokenText[]) =>
    texts.map(({ path, language }) => ({ path, as: { holds, language } }));
  return { told: { ...facts, fileName }, sidecars: [...textsOf('subtitles', subtitles), ...textsOf('transcript', transcripts)] };
}

/** The sidecars that were kept below the key `below`, read as far as they tell of the film as a whole. */
export async function readKeptSidecars(store: FileStore, below: string): Promise<KeptSidecars> {
  const all = await listKeptSidecars(store, below);
  const kept = (kind: KeptSidecar['kind']) => all.flatMap((one) => (one.kind === kind ? [{ key: one.key, language: one.language }] : []));
  const facts = await readTold(store, below);
  const unread = await Promise.all(kept('unread').map((file) => readUnread(store, file)));
  const chapters = await Promise.all(
    kept('chapters').map(async ({ key }) => readChapters((await readStored(store, key)) ?? new Uint8Array())),
  );
  const told = unread.find((read) => read.facts)?.facts ?? readFactsFile(JSON.stringify(facts)).facts;
  return {
    facts: withChapters(told, chapters.flat()),
    subtitles: kept('subtitles'),
    transcripts: [...kept('transcript'), ...unread.flatMap(({ transcript }) => transcript ?? [])],
    fileName: KeptName.safeParse(facts).data?.fileName ?? '',
    remarks: [
      ...unread.flatMap(({ remarks }) => remarks),
      ...chapters.flatMap((found) => (found.length === 0 ? ['chapters not used (none found)'] : [])),
    ],
  };
}

const KeptName = z.object({ fileName: z.string() });

/** What a browser sent as `name.json` is looked into here and not before: facts, or a transcript. */
async function readUnread(
  store: FileStore,
  { key, language }: KeptText,
): Promise<{ facts?: FootageFacts; transcript?: KeptText; remarks: string[] }> {
  const text = decodeUnicode((await readStored(store, key)) ?? new Uint8Array());
  const { facts, speech } = readFactsAndSpeech(text);
  return {
    ...(facts ? { facts: facts.facts } : {}),
    remarks: facts?.remarks ?? [],
    ...(speech ? { transcript: { key, language: language ?? speech.language ?? null } } : {}),
  };
}

/** What a JSON or XML file beside a film holds: facts, a transcript, or both, as an Index of Video Indexer and an export of OHMS do. */
function readFactsAndSpeech(text: string): { facts?: ReturnType<typeof readFactsFile>; speech?: HeardSpeech } {
  const indexed = parseVideoIndexFacts(parseJson(text));
  const speech = parseRecognisedSpeech(text);
  if (indexed) return { facts: readFactsFile(JSON.stringify(indexed)), ...(speech ? { speech } : {}) };
  const interview = parseOhmsFacts(text);
  if (interview) {
    const { facts, remarks } = readFactsFile(JSON.stringify(interview.facts));
    return { facts: { facts, remarks: [...interview.remarks, ...remarks] }, ...(speech ? { speech } : {}) };
  }
  // Cameras write XML of their own beside their films.
  if (!speech && text.trimStart().startsWith('<')) return {};
  return speech ? { speech } : { facts: readFactsFile(text) };
}

interface FactsOrTranscript {
  readonly facts?: FootageFacts;
  readonly transcript?: SpokenText;
  readonly remarks: readonly string[];
}

/** Tells the two apart by what is in the file. One that cannot be used never stops its film. */
async function readFactsOrTranscript(path: string, { holds, language }: SidecarName): Promise<FactsOrTranscript> {
  const bytes = await readWithinLimit(path);
  if (typeof bytes === 'string') return { remarks: [`${holds} not used (${bytes})`] };
  const { facts, speech } = readFactsAndSpeech(decodeUnicode(bytes));
  // What is wrong with a transcript is said by the step that reads it.
  const isTranscript = speech !== undefined || holds === 'transcript';
  const transcript = isTranscript ? { transcript: { path, language: language ?? speech?.language ?? null } } : {};
  return holds === 'transcript' ? { ...transcript, remarks: [] } : { remarks: [], ...facts, ...transcript };
}

/** A file's bytes, or why they were not read. */
async function readWithinLimit(path: string): Promise<Uint8Array | string> {
  return (await faultOf(path)) ?? (await readFile(path).catch((error: unknown) => whyNotRead(error, path)));
}

/** Why a file is not used, by its size and by whether it may be opened; undefined where nothing stands against it. */
async function faultOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, 'r');
    return (await file.stat()).size > limits.sidecarMaxBytes ? `larger than ${limits.sidecarMaxBytes / 1_000_000} MB` : undefined;
  } catch (error) {
    return whyNotRead(error, path);
  }
}

function whyNotRead(error: unknown, path: string): string {
  return isForbidden(error, path) ? 'the archive may not read it' : errorCodeOf(error) || 'it could not be read';
}
