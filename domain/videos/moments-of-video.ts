import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Keyword } from '../keywords/keyword.ts';
import type { Moment } from '../moments/moment.ts';
import { type PackedMoments, unpackMoments } from '../moments/packed-moments.ts';
import type { Video } from './video.ts';

/** Every moment of one video in order of time; none for a video that nothing is known of. */
export async function findMoments(db: Db, videoId: string): Promise<Moment[]> {
  const { rows } = await db.query<PackedMoments>(sql`
    select convert_from(body, 'UTF8') as body, word_starts as "wordStarts", engines from moments where video_id = ${videoId}`);
  return unpackMoments(rows[0]?.body ?? '', rows[0]);
}

/** A shot of a video: where it begins, and where in it the still of it stands, if it has one. */
export interface Shot {
  readonly startMs: number;
  readonly stillMs: number | null;
}

/** The shots of a video in order; none where they were not looked for. */
export async function findShots(db: Db, videoId: string): Promise<Shot[]> {
  const { rows } = await db.query<Shot>(sql`
    select start_ms::int as "startMs", still_ms::int as "stillMs"
      from layers, rows from (jsonb_array_elements_text(facts -> 'startsMs'), jsonb_array_elements_text(facts -> 'stillsMs'))
                   with ordinality as shot (start_ms, still_ms, n)
     where video_id = ${videoId} and name = 'shots' order by n`);
  return rows;
}

/** Where the shots of a video begin, in milliseconds; none where they were not looked for. */
export async function findShotStarts(db: Db, videoId: string): Promise<number[]> {
  return (await findShots(db, videoId)).map(({ startMs }) => startMs);
}

/** Why nothing is written down of what is said in a film. What films were skipped for before is compared with it: other words need a migration. */
export const noSpeechText = { noRecogniser: 'No speech text: no recogniser configured.', nobodySpeaks: 'Nobody speaks in it.' } as const;

/** Why a film is not found by its meaning: by the languages that are understood, as words, and by its own. Compared likewise. */
export function notUnderstood(languages: string, language: string): string {
  return `Meaning is understood in ${languages} only, and this film is in another language (${language}).`;
}

/** Where somebody speaks in a video, and why it lacks what comes of that. */
export interface SpeechOfFilm {
  /** None where nobody listened. */
  readonly speechMs: readonly (readonly [startMs: number, endMs: number])[];
  /** A sentence each; null where nothing is lacking, and where it is not known why. */
  readonly noTranscript: string | null;
  readonly noMeaning: string | null;
}

/** What is known of speech in a video. Of what its steps said, only what is meant for viewers: the rest names files and settings. */
export async function findSpeech(db: Db, { id, language }: Pick<Video, 'id' | 'language'>): Promise<SpeechOfFilm> {
  const { rows } = await db.query<{ speechMs: [number, number][]; skipped: Readonly<Record<string, string>> }>(sql`
    select coalesce((select jsonb_agg(stretch order by made_by, n)
                       from layers, jsonb_array_elements(facts -> 'stretchesMs') with ordinality as spoken (stretch, n)
                      where video_id = ${id} and name = 'voice'), '[]') as "speechMs",
           coalesce((select jsonb_object_agg(step, message) from ingest_steps
                      where video_id = ${id} and step in ('speech', 'meaning') and state = 'skipped'), '{}') as skipped`);
  const { speechMs = [], skipped: { speech, meaning } = {} } = rows[0] ?? {};
  const [before = '', after = ''] = notUnderstood('\n', language).split('\n');
  return {
    speechMs,
    noTranscript: Object.values(noSpeechText).find((reason) => reason === speech) ?? null,
    // Of the language that it is in by now.
    noMeaning: meaning?.startsWith(before) && meaning.endsWith(after) ? meaning : null,
  };
}

/** What tells most what a video is about, best first; none where nobody looked. */
export async function findKeywordsOf(db: Db, videoId: string): Promise<Keyword[]> {
  const { rows } = await db.query<{ keywords: Keyword[] }>(sql`
    select facts -> 'keywords' as keywords from layers where video_id = ${videoId} and name = 'keywords' order by made_by`);
  return rows.flatMap(({ keywords }) => keywords);
}

const linesAfter = 2;

/** The line of a kind before the one that stands at a time, and two after it, of moments in order of time. */
export function linesAround(
  moments: readonly Moment[],
  { kind, atMs }: { kind: Moment['kind']; atMs: number },
): { before: string | null; after: readonly string[] } {
  const lines = moments.filter((moment) => moment.kind === kind);
  const at = lines.findLastIndex(({ startMs }) => startMs <= atMs);
  return { before: lines[at - 1]?.text ?? null, after: lines.slice(at + 1, at + 1 + linesAfter).map(({ text }) => text) };
}

/** Media type of each form in which captions are given. */
export const captionTypes = { vtt: 'text/vtt', srt: 'application/x-subrip', txt: 'text/plain' } as const;
type CaptionFormat = keyof typeof captionTypes;

/** What is said in a video as a caption file. */
export function captionText(moments: readonly Moment[], format: CaptionFormat): string {
  const lines = moments.filter((moment) => moment.kind === 'Transcript');
  if (format === 'txt') return lines.map((line) => `${line.text}\n`).join('');
  const cues = lines.map((line, n) => {
    const times = `${stamp(line.startMs, format)} --> ${stamp(line.endMs, format)}`;
    return format === 'vtt' ? `${times}\n${cueText(line.text)}\n` : `${n + 1}\n${times}\n${line.text}\n`;
  });
  return (format === 'vtt' ? ['WEBVTT\n', ...cues] : cues).join('\n');
}

/** What is said in a video as captions, where people corrected lines; null where the file that came with it, or was heard, says the same. */
export async function findCorrectedCaptions(db: Db, videoId: string): Promise<string | null> {
  const { rows } = await db.query<{ isCorrected: boolean }>(sql`
    select exists (select from corrections where video_id = ${videoId} and kind = 'Transcript' and undone_at is null) as "isCorrected"`);
  return rows[0]?.isCorrected ? captionText(await findMoments(db, videoId), 'vtt') : null;
}

function stamp(ms: number, format: 'vtt' | 'srt'): string {
  const [hours = 0, minutes = 0, seconds = 0] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(Math.floor);
  const two = (value: number) => String(value).padStart(2, '0');
  const fraction = String(Math.floor(ms % 1_000)).padStart(3, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${format === 'vtt' ? '.' : ','}${fraction}`;
}

/** Text of a cue is markup in WebVTT; what somebody said is none. */
function cueText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
