import { randomUUID } from 'node:crypto';
import type { LineEntry, LinesChange } from '#contract/corrections.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isUnchangedLine } from '../../moments/apply-to-lines.ts';
import { type Composition, compose } from '../../moments/compose.ts';
import {
  addCorrection,
  batchesOf,
  type Correction,
  findCorrections,
  type Line,
  type LineChange,
  linesByTime,
} from '../../moments/corrections.ts';
import { findLayers } from '../../moments/layers.ts';
import { isDoubtful } from '../../moments/line-counts.ts';
import type { Moment } from '../../moments/moment.ts';
import { cuesToMoments, cuesWithin, type ParsedSubtitles } from '../../subtitles/cue.ts';
import { parseSubtitles } from '../../subtitles/read-subtitles.ts';
import { errorMessageOf } from '../../system/error-message.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { cleanText } from '../clean-text.ts';
import { giveLayers } from '../give-layers.ts';
import { recomposeVideo, requireLock } from '../recompose-video.ts';

/** What is said in a film, line by line in order of time, with what people made of each. */
export async function listLines(pool: Pool, videoId: string): Promise<LineEntry[]> {
  const { composed, corrections } = await inTransaction(pool, (db) => composeVideo(db, videoId));
  const known = new Map(corrections.map((correction) => [correction.id, correction]));
  const batches = batchesOf(corrections);
  const spoken = spokenIn(composed);
  const standing = Map.groupBy(spoken, (moment) => composed.correctedBy.get(moment) ?? 0);
  return spoken.map((moment) => {
    const { confidencePercent, review } = moment;
    const by = known.get(composed.correctedBy.get(moment) ?? 0);
    return {
      ...lineOf(moment),
      confidencePercent,
      review: review ?? null,
      isDoubtful: isDoubtful(moment),
      correction: by?.id ?? null,
      together: (by && isOfFile(by) ? standing.get(by.id) : batches.get(by?.batch ?? ''))?.length ?? 1,
      replaces: review === 'corrected' && by ? replacedTextOf(by) : null,
    };
  });
}

/** Whether a whole transcript stands by it, which each of its lines would bring along. */
function isOfFile({ target }: Correction): boolean {
  return 'lines' in target && target.lines?.isAll === true;
}

/** What stood where a line stands now; null where a whole transcript did. */
function replacedTextOf(correction: Correction): string | null {
  return isOfFile(correction) ? null : correction.target.replaces;
}

export interface LinesCorrection {
  readonly videoId: string;
  readonly changes: readonly LinesChange[];
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Has other lines stand in a film's transcript in the place of some, or confirms them, until that is taken back, however often the film is read
 * anew; all changes or none. Returns the correction by which all are taken back, null where they say nothing new. Throws a Problem for lines that cannot be, and where somebody else changed them meanwhile.
 */
export async function correctLines(pool: Db, { videoId, changes, actorUid, from }: LinesCorrection): Promise<Correction['id'] | null> {
  return await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const filmMs = await findDurationMs(db, videoId);
    const spoken = spokenIn((await composeVideo(db, videoId)).composed);
    const asked = changes.map((change) => ({ seen: requireAsSeen(spoken, change.replaces), are: readLines(change, filmMs) }));
    const isBesideOthers = (seen: readonly Moment[]) => spoken.some((one) => one.startMs === seen[0]?.startMs && !seen.includes(one));
    // To confirm what somebody has looked at says nothing new.
    const news = asked
      .map(({ seen, are }) => ({
        was: seen.map(lineOf),
        are,
        isBesideOthers: isBesideOthers(seen),
        isLookedAt: seen.every(({ review }) => review),
      }))
      .filter(({ was, are, isLookedAt }) => !isLookedAt || !areSameLines(was, are));
    if (news.length === 0) return null;
    return await noteChanges(db, news, { videoId, actorUid, from });
  });
}

/** `isBesideOthers`: another line begins with the first. */
type NotedChange = LineChange & { readonly isBesideOthers?: boolean };

/** Adds these changes as corrections that are taken back together, by the first of them, and has the film say so. */
async function noteChanges(
  db: Db,
  changes: readonly NotedChange[],
  { videoId, actorUid, from }: Omit<LinesCorrection, 'changes'>,
): Promise<Correction['id'] | null> {
  const batch = changes.length > 1 ? randomUUID() : null;
  const added: Correction['id'][] = [];
  for (const change of changes) added.push(await addCorrection(db, videoId, { ...correctionOf(change), batch, by: actorUid }));
  const action = changes.every(({ was, are }) => areSameLines(was, are)) ? 'lines-verified' : 'lines-corrected';
  const [before, detail] = [textOf(changes.flatMap(({ was }) => was)), textOf(changes.flatMap(({ are }) => are))];
  await recordFilmActivity(db, { action, actorUid, videoId, before, detail, from });
  await recomposeVideo(db, videoId);
  return added[0] ?? null;
}

interface TranscriptFile {
  readonly videoId: string;
  /** Subtitles of any kind that the archive takes beside a film. */
  readonly bytes: Uint8Array;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Has the lines of a subtitle file stand in the place of all that is said in a film, also of what is heard later: one correction, taken back by one
 * press. Returns how many there are, and what of the file was left out. Throws a Problem for a file without lines within the film.
 */
export async function replaceTranscript(
  pool: Db,
  { videoId, bytes, actorUid, from }: TranscriptFile,
): Promise<{ lines: number; remarks: string[] }> {
  const { cues, warnings } = readSubtitleFile(bytes);
  const filmMs = await findDurationMs(pool, videoId);
  // Some formats do not keep their lines in order of time.
  const within = cuesWithin(cues, filmMs / 1_000).toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const lines = cuesToMoments(
    // Some converters write cues of nothing but marks that nobody sees.
    within.filter(({ text }) => cleanText(text, 1) !== ''),
    { durationInSeconds: filmMs / 1_000, source: 'editor' },
  ).map(({ startMs, endMs, text, speaker }) => ({
    startMs,
    endMs: Math.max(endMs, startMs + 1),
    text,
    speaker: cleanText(speaker ?? '', limits.speakerMaxCodePoints) || null,
  }));
  if (lines.length === 0)
    throw new Problem('invalid_parameter', `The file has no lines within the video: ${warnings[0] ?? 'all are past its end'}.`);
  const left = cues.length - within.length;
  await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const { composed, corrections } = await composeVideo(db, videoId);
    const spoken = spokenIn(composed);
    const [was, are] = [spoken.map(lineOf), readLines({ replaces: [], lines: withSpeakers(lines, spoken) }, filmMs)];
    const files = new Set(corrections.filter(isOfFile).map(({ id }) => id));
    // To send once more what stands there as a whole says nothing new.
    if (areSameLines(was, are) && spoken.every((moment) => files.has(composed.correctedBy.get(moment) ?? 0))) return;
    await noteChanges(db, [{ was, are, isAll: true }], { videoId, actorUid, from });
  });
  return {
    lines: lines.length,
    remarks: [...warnings, ...(left > 0 ? [`${left} ${left === 1 ? 'line' : 'lines'} past the end of the video ignored`] : [])],
  };
}

/** Most files name nobody: a line at the very time of one is still said by whom that was. */
function withSpeakers(lines: readonly Line[], spoken: readonly Moment[]): Line[] {
  const takeAt = linesByTime(spoken);
  return lines.map((line) => {
    const was = takeAt(line);
    return { ...line, speaker: line.speaker ?? was?.speaker ?? null };
  });
}

function readSubtitleFile(bytes: Uint8Array): ParsedSubtitles {
  try {
    return parseSubtitles(bytes);
  } catch (error) {
    throw new Problem('invalid_parameter', `The file could not be read: ${errorMessageOf(error)}.`);
  }
}

function textOf(lines: readonly Line[]): string {
  return toAuditedText(lines.map(({ text }) => text));
}

/** Texts as the activity lists them, no more of them than it holds. */
export function toAuditedText(texts: readonly string[]): string {
  return cleanText(texts.join(' / '), serverLimits.auditedMaxCharacters);
}

/** Within the transaction of `db`, what a video comes to. One that is older than layers gets its own first. */
async function composeVideo(db: Db, videoId: string): Promise<{ composed: Composition; corrections: Correction[] }> {
  let layers = await findLayers(db, videoId);
  if (layers.length === 0) {
    await giveLayers(db, [videoId]);
    layers = await findLayers(db, videoId);
  }
  const corrections = await findCorrections(db, videoId);
  return { composed: compose(layers, corrections), corrections };
}

function spokenIn({ moments }: Composition): Moment[] {
  return moments.filter(({ kind }) => kind === 'Transcript').toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

function lineOf({ startMs, endMs, text, speaker }: Moment): Line {
  return { startMs, endMs, text, speaker: speaker ?? null };
}

/** The moments that the editor saw, if they still stand there one behind the other. */
function requireAsSeen(spoken: readonly Moment[], seen: readonly Line[]): Moment[] {
  const [first] = seen;
  const last = seen.at(-1);
  if (!first || !last) return [];
  const from = spoken.findIndex((moment) => moment.startMs === first.startMs && isUnchangedLine(lineOf(moment), first));
  const there = from < 0 ? [] : spoken.slice(from, from + seen.length);
  if (areSameLines(there.map(lineOf), seen)) return there;
  const now = spoken.filter(({ startMs, endMs }) => startMs < last.endMs && endMs > first.startMs).map(({ text }) => text);
  const says = now.length === 0 ? 'the line is gone now' : `it is “${now.join(' / ')}” now`;
  throw new Problem('version_mismatch', `Someone else has changed this: ${says}.`);
}

function areSameLines(some: readonly Line[], others: readonly Line[]): boolean {
  return some.length === others.length && some.every((line, n) => isUnchangedLine(line, others[n] ?? { ...line, startMs: -1 }));
}

/** Another text of one line is kept as such; everything else, and where two speak at once, with all that can be said of lines. */
function correctionOf({ was, are, isAll = false, isBesideOthers = false }: NotedChange): Pick<Correction, 'target' | 'says'> {
  const [startMs, endMs] = [was[0]?.startMs ?? are[0]?.startMs ?? 0, was.at(-1)?.endMs ?? are.at(-1)?.endMs ?? 0];
  const target = { layer: 'captions', kind: 'Transcript', startMs, endMs, replaces: was.map(({ text }) => text).join('\n') } as const;
  const isConfirmed = areSameLines(was, are);
  const says = isConfirmed ? null : are.map(({ text }) => text).join('\n');
  const [line] = are;
  const [seen] = was;
  const isTextAlone =
    !isAll &&
    !isBesideOthers &&
    line &&
    seen &&
    was.length === 1 &&
    are.length === 1 &&
    isUnchangedLine({ ...seen, text: '' }, { ...line, text: '' });
  return { says, target: isTextAlone ? target : { ...target, lines: { was, are, isAll } } };
}

/** Nothing bounds the lines of one whose length is not known: a film that has just come, or a record that does not tell. */
async function findDurationMs(db: Db, videoId: string): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(sql`select (duration_seconds * 1000)::float8 as ms from videos where id = ${videoId}`);
  return rows[0]?.ms || Number.POSITIVE_INFINITY;
}

/** Nobody minds a line that ends a moment behind its film. */
const pastTheEndMs = 2_000;

function readLines({ replaces, lines }: LinesChange, filmMs: number): Line[] {
  const read = lines.map((line) => {
    // What comes back as it was seen keeps its marks of direction: it is confirmed.
    if (replaces.some((seen) => isUnchangedLine(seen, line))) return line;
    const { startMs, endMs, text, speaker } = line;
    return { startMs, endMs, text: readText(text), speaker: readSpeaker(speaker) };
  });
  for (const [n, { startMs, endMs }] of read.entries()) {
    // Where a catalogue has a line stand, it may stand.
    if (replaces.some((line) => line.startMs === startMs && line.endMs === endMs)) continue;
    if (startMs >= endMs) throw new Problem('invalid_parameter', 'A line must end after it begins.');
    if (endMs > filmMs + pastTheEndMs) throw new Problem('invalid_parameter', 'A line must end by the end of the video.');
    if (startMs < (read[n - 1]?.startMs ?? 0)) throw new Problem('invalid_parameter', 'Lines must be in the order in which they begin.');
  }
  return read;
}

function readText(given: string): string {
  const text = cleanText(given, limits.lineMaxCodePoints + 1);
  if (text === '') throw new Problem('invalid_parameter', 'A line needs words. If nothing is said, remove it.');
  if ([...text].length > limits.lineMaxCodePoints)
    throw new Problem('invalid_parameter', `A line may have at most ${limits.lineMaxCodePoints} characters. Split it.`);
  return text;
}

function readSpeaker(given: string | null): string | null {
  const speaker = cleanText(given ?? '', limits.speakerMaxCodePoints + 1);
  if ([...speaker].length > limits.speakerMaxCodePoints)
    throw new Problem('invalid_parameter', `A speaker’s name may have at most ${limits.speakerMaxCodePoints} characters.`);
  return speaker === '' ? null : speaker;
}
