import { wordsOfStep } from '#contract/words-of-step.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Video } from './video.ts';

/** Why a step had nothing to do, where more than its sentence is asked for; kept with the step as it stands here. */
export type WhySkipped = NoTranscript | NoMeaning | NoNeed | ModelNotCopied;
type NoTranscript = { readonly is: 'no-recogniser' } | { readonly is: 'nobody-speaks' };
/** `understood`: the languages that are, as words. */
type NoMeaning = { readonly is: 'other-language'; readonly understood: string; readonly language: string };
/** For editors alone: a step without whose result it cannot be done was left out or has failed. */
type NoNeed = { readonly is: 'no-need'; readonly need: string };
/** For editors alone: the machine could not fetch the model that hears. The film is heard once it is there. */
type ModelNotCopied = { readonly is: 'model-not-copied' };

/** The same as a sentence. */
export function sayWhySkipped(why: WhySkipped): string {
  switch (why.is) {
    case 'no-recogniser':
      return 'No speech text: no recogniser configured.';
    case 'nobody-speaks':
      return 'Nobody speaks in it.';
    case 'other-language':
      return `Meaning is understood in ${why.understood} only, and this video is in another language (${why.language}).`;
    case 'no-need':
      return `It needs “${wordsOfStep(why.need)}”, which has no result.`;
    case 'model-not-copied':
      return 'The Whisper model could not be copied to this machine. The video is heard once it is there.';
  }
}

/** Where somebody speaks in a video, and why it lacks what comes of that. */
export interface SpeechOfFilm {
  /** None where nobody listened. */
  readonly speechMs: readonly (readonly [startMs: number, endMs: number])[];
  /** Null where nothing is lacking, and where it is not known why. */
  readonly noTranscript: NoTranscript | null;
  readonly noMeaning: NoMeaning | null;
}

/** What is known of speech in a video, as far as it is meant for viewers: what its steps said besides names files and settings. */
export async function findSpeech(db: Db, { id, language }: Pick<Video, 'id' | 'language'>): Promise<SpeechOfFilm> {
  // A worker of the version before the codes says sentences alone.
  const { rows } = await db.query<SpeechOfFilm>(sql`
    with whys as (
      select step,
             coalesce(reason, case
               when step = 'speech' and message = 'No speech text: no recogniser configured.' then '{"is": "no-recogniser"}'
               when step = 'speech' and message = 'Nobody speaks in it.' then '{"is": "nobody-speaks"}'
               when step = 'meaning' and said is not null
               then jsonb_build_object('is', 'other-language', 'understood', said[1], 'language', said[2]) end) as why
        from ingest_steps,
             regexp_match(message, '^Meaning is understood in (.*) only, and this (?:film|video) is in another language \\((.*)\\)\\.$') as said
       where video_id = ${id} and state = 'skipped' and step in ('speech', 'meaning')
         and coalesce(reason ->> 'is', '') not in ('no-need', 'model-not-copied'))
    select coalesce((select jsonb_agg(stretch order by made_by, n)
                       from layers, jsonb_array_elements(facts -> 'stretchesMs') with ordinality as spoken (stretch, n)
                      where video_id = ${id} and name = 'voice'), '[]') as "speechMs",
           (select why from whys where step = 'speech') as "noTranscript",
           -- Of the language that it is in by now.
           (select why from whys where step = 'meaning' and why ->> 'language' = ${language}) as "noMeaning"`);
  return rows[0] ?? { speechMs: [], noTranscript: null, noMeaning: null };
}
