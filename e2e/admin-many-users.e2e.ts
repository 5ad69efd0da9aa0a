import { enterAs, expect, test } from './journey.ts';

test('the table stays quick with 10,000 users', async ({ page, archive }) => {
  const { pool } = archive.database;
  await pool.query(`insert into users (id, name, email, email_verified, roles, created_at)
    select 'crowd' || n, 'Crowd ' || lpad(n::text, 5, '0'), 'crowd' || n || '@crowd.example', true, '{"viewer": true}', now() - n * interval '1 minute'
      from generate_series(1, 10000) n`);
  try {
    await enterAs(page, archive, { viewer: true, editor: true, admin: true });
    await page.goto('/admin?search=crowd.example&sort=displayName');
    const table = page.getByRole('table', { name: 'Active users' });
    await expect(table.getByRole('row', { name: 'Crowd 00001' })).toBeVisible();
    await expect(table).toHaveAttribute('aria-rowcount', '10001');
    await expect(table.getByRole('columnheader', { name: 'User' })).toHaveAttribute('aria-sort', 'ascending');
    await page.keyboard.press('End');
    await expect(table.getByRole('row', { name: 'Crowd 10000' })).toBeVisible();
    expect(await page.locator('tr').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await table.getByRole('button', { name: 'User' }).click();
    await expect(table.getByRole('row').nth(1)).toContainText('Crowd 10000');
    await page.getByRole('searchbox', { name: 'Search users by name or e-mail' }).fill('crowd 07777');
    await expect(table.getByRole('row')).toHaveCount(2);
    await expect(table.getByRole('row').nth(1)).toContainText('crowd7777@crowd.example');
  } finally {
    await page.close();
    await pool.query(`delete from users where id like 'crowd%'`);
  }
});
