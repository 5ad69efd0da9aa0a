import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Video } from './video.ts';

/** Why nothing is written down of what is said in a film. */
export const noSpeechText = { noRecogniser: 'No speech text: no recogniser configured.', nobodySpeaks: 'Nobody speaks in it.' } as const;

/** Why a film is not found by its meaning: by the languages that are understood, as words, and by its own. */
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
