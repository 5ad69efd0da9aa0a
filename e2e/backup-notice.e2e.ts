import { noteBackup } from '#domain/backup/last-backup.ts';
import { enterAs, expect, test } from './journey.ts';

const run = { folder: '/mnt/backup', message: '5 rows, 1 files', migration: '0063-listed-names.sql' };
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();

test('an administrator reads above the tables that the last backup failed, and nothing of it once one went well', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  await noteBackup(pool, { ...run, at: at(50), ok: true });
  await noteBackup(pool, { ...run, at: at(2), ok: false, message: 'The disk of /mnt/backup is full. Make room, or take another disk.' });
  await enterAs(page, archive, { viewer: true, admin: true });
  const notice = page.getByRole('complementary', { name: 'Backup' });
  for (const path of ['/admin', '/admin/videos', '/admin/activity']) {
    await page.goto(path);
    await expect(notice).toContainText('The last backup failed');
    await expect(notice).toContainText('The disk of /mnt/backup is full.');
    await expect(notice).toContainText('The last good backup was made');
  }
  await noteBackup(pool, { ...run, at: at(0), ok: true });
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Active users' })).toBeVisible();
  await expect(notice).toBeHidden();
});
