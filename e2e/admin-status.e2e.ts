import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepTelling } from '#domain/status/processes.ts';
import { enterAs, expect, expectAccessible, takePicture, test } from './journey.ts';

test('an administrator sees every process, what waits and what to do about it, and the page follows by itself', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  await enterAs(page, archive, { admin: true });
  await page.goto('/admin');
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Status' }).press('Enter');
  await expect(page).toHaveURL('/admin/status');
  const processes = page.getByRole('table', { name: 'Processes and machines' });
  await expect(processes.getByRole('row', { name: /Web server/ })).toHaveCount(1);
  const needs = page.getByRole('region', { name: 'Needs attention' });

  await pool.query("update videos set state = 'Failed' where id = (select id from videos order by id limit 1)");
  await expect(needs).toContainText('1 video could not be made playable. See why under Admin, Videos, and try them again.');
  // A folder that cannot be read, as on a disk that is away.
  const unreadable = join(archive.dataFolder, 'media', '00', '0000000000');
  mkdirSync(dirname(unreadable), { recursive: true });
  symlinkSync(unreadable, unreadable);
  await expect(needs).toContainText('The media store cannot be reached, so videos do not play and nothing can be added: ELOOP');
  const other = keepTelling(pool, { does: 'ingest', dataFolder: archive.dataFolder, notes: ['reads footage with another tool'] });
  const row = processes.getByRole('row', { name: /reads footage with another tool/ });
  await expect(row).toContainText('now');
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await takePicture(page, `status-${theme}-${width}`);
    }
    await expectAccessible(page);
  }
  await other.stop();
  await expect(row).toHaveCount(0);
  rmSync(unreadable);
  await expect(needs).not.toContainText('media store');
  await pool.query("update videos set state = 'Processed' where state = 'Failed'");
  await expect(needs).not.toContainText('could not be made playable');
});

test('an administrator checks by keyboard who sees what, and reads that nothing leaks', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  await page.goto('/admin/status');
  const check = page.getByRole('region', { name: 'Check access' });
  await check.getByRole('button', { name: 'Check now' }).focus();
  await page.keyboard.press('Enter');
  await expect(check.getByRole('status')).toContainText(/No leaks: [\d,]+ requests to \d+ addresses/, { timeout: 30_000 });
  await check.scrollIntoViewIfNeeded();
  await takePicture(page, 'status-check');
  await page.goto('/admin/activity');
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText('checked access');
});

test('while the status cannot be read one calm sentence says so, and it goes by itself', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  let asked = 0;
  const broken = { status: 500, contentType: 'application/problem+json', json: { code: 'internal', detail: 'It broke.' } };
  await page.route('**/api/status', (route) => {
    asked += 1;
    return route.fulfill(broken);
  });
  await page.goto('/admin/status');
  const again = page.getByRole('alert').filter({ hasText: 'The status could not be loaded.' }).getByRole('button', { name: 'Try again' });
  await again.press('Enter');
  await expect.poll(() => asked).toBeGreaterThan(3);
  await expect(again).toBeFocused();
  await page.unroute('**/api/status');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  await expect(again).toHaveCount(0);
});
