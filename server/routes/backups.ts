import { endpoints } from '#contract/endpoints.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { type Site, serve } from '../http/serve.ts';

/** How the archive stands with its backups, for administrators. */
export function backupRoutes(site: Site): void {
  const { pool, config } = site.context;

  serve(site, endpoints.backupState, () => readBackupState(pool, { isPublic: !config.practice }));
}
