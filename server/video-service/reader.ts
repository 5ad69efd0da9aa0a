/*
 * The wire of the video service: every answer is written field by field for one reader (present-…), so that a new field reaches nobody by itself,
 * and every refusal as that service words it (video-service-problem). Nothing here knows of HTTP, which asks it.
 */
import type { ArchiveSettings } from '#contract/archive.ts';
import { can } from '#contract/roles.ts';
import { rolesOfSession } from '#domain/signin/session-permits.ts';
import type { LiveSession } from '#domain/signin/sessions.ts';
import { type Sight, sightOf } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';

/** For whom an answer is written. Every field of an answer is given to readers by name; what is given to none reaches nobody. */
export type Reader = (Administrator | Visitor) & {
  /** Only this caller opens the frames that the answer names. */
  readonly callerId: string;
};

/** Reads words, and what the archive knows of a video for itself. */
interface Administrator {
  readonly reading: 'admin';
  readonly mayWatch: true;
}

interface Visitor {
  /** What they read of a match: its words, only how many there are (`counts`), or only where they stand (`locked`). */
  readonly reading: ArchiveSettings['guestsRead'];
  /** Whoever may watch a film collects nothing by its lines and frames. */
  readonly mayWatch: boolean;
}

/** A reader with the films that they see at all. */
export type SeeingReader = Reader & { readonly sight: Sight };

/** Who asks, as far as it decides what they read. */
interface Asking {
  /** Null for a guest. */
  readonly user: Pick<LiveSession['user'], 'roles'> | null;
  readonly sid: string | null;
  readonly callerId: string;
  readonly adminFields: boolean;
}

/** Who reads at this moment, and which films they see at all: whoever may watch reads words, everybody else what the archive is set to. */
export async function readerOf({ settings, pool }: Pick<Context, 'settings' | 'pool'>, caller: Asking): Promise<SeeingReader> {
  const { user, sid, callerId, adminFields } = caller;
  // An account token names a session; whether that still lives, and what its user may do now, only the database knows.
  const roles = user?.roles ?? (sid === null ? null : await rolesOfSession(pool, sid));
  const mayWatch = can(roles, 'view');
  const sight = sightOf(roles);
  if (!mayWatch) return { reading: settings.guestsRead, mayWatch, callerId, sight };
  return { reading: adminFields ? 'admin' : 'words', mayWatch, callerId, sight };
}

/**
 * Whether films may be looked for by external ids, owners and times of their own: administrators read those in answers, editors on the
 * desk, and their scripts find by them which film they change.
 */
export function readsRecords({ reading, sight }: Pick<SeeingReader, 'reading' | 'sight'>): boolean {
  return reading === 'admin' || sight === 'editor';
}

/** Whether they read what was said, written and seen, and who and what is named. */
export function readsWords({ reading }: Pick<Reader, 'reading'>): boolean {
  return reading === 'words' || reading === 'admin';
}
