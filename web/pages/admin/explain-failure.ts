import { CallFailed } from '#web/api/call-failed.ts';

/** Why a change of a user failed: in the server's words where an administrator can act on them, else that nothing happened, as `otherwise` says it. */
export function explainFailure(reason: Error, otherwise: string): string {
  const code = reason instanceof CallFailed ? reason.code : '';
  if (code === 'version_mismatch') return 'Someone else has changed this user. The row now shows the change.';
  if (code === 'not_found') return 'This user has been deleted.';
  return ['self_change', 'last_admin', 'forbidden'].includes(code) ? reason.message : `${otherwise} Try again.`;
}
