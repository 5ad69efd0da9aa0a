import type { ArchiveSettings } from '#contract/archive.ts';
import { can } from '#contract/roles.ts';
import { sessionPermits } from '#domain/signin/session-permits.ts';
import type { Context } from '../context.ts';
import type { Caller } from './caller.ts';

/** What somebody reads of a match: its words, only how many there are, or only where they stand. */
export type Reading = ArchiveSettings['guestsRead'];

/** What this caller reads of a match at this moment: whoever may watch reads its words, everybody else what the archive is set to. */
export async function readingOf({ settings, pool }: Pick<Context, 'settings' | 'pool'>, { user, sid }: Caller): Promise<Reading> {
  const { guestsRead } = settings;
  if (guestsRead === 'words') return 'words';
  // An account token names a session; whether that still lives, and what its user may do now, only the database knows.
  const mayWatch = user ? can(user.roles, 'view') : sid !== null && (await sessionPermits(pool, sid, 'view'));
  return mayWatch ? 'words' : guestsRead;
}
