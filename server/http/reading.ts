import type { ArchiveSettings } from '#contract/archive.ts';
import { can } from '#contract/roles.ts';
import { sessionPermits } from '#domain/signin/session-permits.ts';
import type { Context } from '../context.ts';
import type { Caller } from './access/caller.ts';

/** What somebody reads of a match: its words, only how many there are, or only where they stand. */
export type Reading = ArchiveSettings['guestsRead'];

/** What this caller reads of a match at this moment: whoever may watch reads its words, everybody else what the archive is set to. */
export async function readingOf(context: Pick<Context, 'settings' | 'pool'>, caller: Caller): Promise<Reading> {
  const { guestsRead } = context.settings;
  return guestsRead === 'words' || (await mayWatch(context, caller)) ? 'words' : guestsRead;
}

/** Whether this caller may watch what is in the archive, at this moment. */
export async function mayWatch({ pool }: Pick<Context, 'pool'>, { user, sid }: Pick<Caller, 'user' | 'sid'>): Promise<boolean> {
  // An account token names a session; whether that still lives, and what its user may do now, only the database knows.
  return user ? can(user.roles, 'view') : sid !== null && (await sessionPermits(pool, sid, 'view'));
}
