import { readBackupState } from '#domain/backup/backup-state.ts';
import type { Context } from './context.ts';

const everyMs = 60 * 60 * 1_000;

/** Looks every hour how the archive stands with its backups, and logs what an operator has to hear. */
export function watchBackups(context: Context): { stop(): Promise<void> } {
  const look = () => logBackupState(context).catch((error: unknown) => context.log.warn('backups not looked at', { error }));
  let looking = look();
  const timer = setInterval(() => (looking = look()), everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Logs a failed or late backup, and that there is none of what needs one. */
export async function logBackupState({ pool, config, log }: Pick<Context, 'pool' | 'config' | 'log'>): Promise<void> {
  const { is, at, lastGoodAt, message } = await readBackupState(pool, { isPublic: !config.practice });
  if (is === 'failed') log.error('the last backup failed', { at, lastGoodAt, message });
  if (is === 'late') log.error('the last backup is more than 48 hours old', { lastGoodAt });
  if (is === 'never') log.warn('this archive was never backed up: npm run backup -- FOLDER');
}
