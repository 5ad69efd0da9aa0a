import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { findMoments } from './find-moments.ts';
import type { Moment } from './moment.ts';

/** Media type of each form in which captions are given. */
export const captionTypes = { vtt: 'text/vtt', srt: 'application/x-subrip', txt: 'text/plain' } as const;
type CaptionFormat = keyof typeof captionTypes;

/** What is said in a video as a caption file. */
export function writeCaptionText(moments: readonly Pick<Moment, 'kind' | 'startMs' | 'endMs' | 'text'>[], format: CaptionFormat): string {
  const lines = moments.filter((moment) => moment.kind === 'Transcript');
  if (format === 'txt') return lines.map((line) => `${line.text}\n`).join('');
  const cues = lines.map((line, n) => {
    const times = `${formatCueTime(line.startMs)} --> ${formatCueTime(line.endMs)}`;
    return format === 'vtt' ? `${times}\n${escapeCueText(line.text)}\n` : `${n + 1}\n${times.replaceAll('.', ',')}\n${line.text}\n`;
  });
  return (format === 'vtt' ? ['WEBVTT\n', ...cues] : cues).join('\n');
}

/** Whoever turns captions on is told first that nobody has read them. */
export function makeCaptionsNotice(recogniser: string): { startMs: number; endMs: number; text: string } {
  return { startMs: 0, endMs: 4_000, text: `[Captions by a machine: ${recogniser}]` };
}

/** Before the captions of a film of which nobody has looked at some line that a machine heard. */
function noticeFor(moments: readonly Moment[]): Pick<Moment, 'kind' | 'startMs' | 'endMs' | 'text'>[] {
  const unread = moments.find(({ kind, source, engine, review }) => kind === 'Transcript' && source === 'machine' && engine && !review);
  // An engine is told with its version.
  return unread?.engine ? [{ kind: 'Transcript', ...makeCaptionsNotice(unread.engine.replace(/ \S+$/, '')) }] : [];
}

/** What is said in a video as captions, where people corrected lines; null where the file that came with it, or was heard, says the same. */
export async function findCorrectedCaptions(db: Db, videoId: string): Promise<string | null> {
  const { rows } = await db.query<{ isCorrected: boolean }>(sql`
    select exists (select from corrections where video_id = ${videoId} and kind = 'Transcript' and undone_at is null) as "isCorrected"`);
  return rows[0]?.isCorrected === true ? await composeCaptions(db, videoId) : null;
}

/** What a video says by now as captions. */
export async function composeCaptions(db: Db, videoId: string): Promise<string> {
  const moments = await findMoments(db, videoId);
  return writeCaptionText([...noticeFor(moments), ...moments], 'vtt');
}

/** What somebody said as the text of a cue, which is markup in WebVTT. */
export function escapeCueText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A time as WebVTT writes it: `hh:mm:ss.mmm`. */
export function formatCueTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(Math.floor(ms % 1_000)).padStart(3, '0')}`;
}
