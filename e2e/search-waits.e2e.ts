import { renameSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { expect, preparedArchive, test } from './journey.ts';

test('while the index is being built the search says how far it is, and shows what it finds by itself', async ({ page }) => {
  // Nobody here builds it anew.
  const archive = await startPreparedArchive(preparedArchive(), { RUSHES_ROLES: 'web' });
  const { pool } = archive.database;
  const { index } = archiveFolder(archive.dataFolder);
  const [current, away] = [join(index, 'current.json'), join(index, 'current.away')];
  try {
    const { rows } = await pool.query('select state from search_index');
    await pool.query('update search_index set state = null, built_percent = 42');
    renameSync(current, away);
    await page.goto(`${archive.origin}/search?query=lighthouse&skip=0`);
    const waits = page.getByRole('status').filter({ hasText: 'The search is being made ready: 42 % so far.' });
    await expect(waits).toBeVisible();
    await expect(waits.getByRole('link', { name: 'look through all videos' })).toBeVisible();
    await expect(page.getByText('No matches found')).toBeHidden();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    renameSync(away, current);
    await pool.query('update search_index set state = $1, built_percent = null', [rows[0].state]);
    await expect(page.getByRole('main').locator('a[href^="/video/"]').first()).toBeVisible({ timeout: 20_000 });
    await expect(waits).toBeHidden();
    expect((await pool.query('select 1 from unfound_queries where found_nothing > 0')).rows).toEqual([]);
  } finally {
    await archive.stop();
  }
});
