import type { Moment } from '#domain/moments/moment.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { skipStep, startStep } from '#domain/videos/record-step.ts';
import { sayWhySkipped } from '#domain/videos/speech-of-film.ts';
import { enterAs, expect, insightsOf, takePicture, test, videoIdOf } from './journey.ts';

const unheard = { is: 'no-recogniser' } as const;

test('what a recogniser heard that is mostly wrong says so where it is found and where it stands, and can be hidden', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/');
  const film = await videoIdOf(page, 'Night tram, line 28');
  const heard = { kind: 'Transcript', source: 'machine', engine: 'pocketsphinx', confidencePercent: 20, isRough: true } as const;
  const moments: Moment[] = [{ ...heard, startMs: 1_000, endMs: 3_000, text: 'a walrus in the pantry' }];
  const { pool } = archive.database;
  const put = (some: Moment[]) =>
    publishLayers(pool, film, { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments: some }] });
  await put(moments);
  const row = page.getByRole('link', { name: 'a walrus in the pantry' });
  await expect(async () => {
    await page.goto('/search?query=walrus');
    await expect(row).toContainText('rough', { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await takePicture(page, 'rough-speech-found');
  await page.goto(`/video/${film}?t=1`);
  const line = insightsOf(page).getByRole('listitem').filter({ hasText: 'walrus' });
  await expect(line.getByText('rough', { exact: true })).toBeVisible();
  await takePicture(page, 'rough-speech-film');

  await enterAs(page, archive, { admin: true });
  await page.goto('/admin/engines');
  await page.getByRole('button', { name: 'Hide rough speech' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Show rough speech' })).toBeFocused();
  await takePicture(page, 'rough-speech-hidden');
  await expect(async () => {
    await page.goto('/search?query=walrus');
    await expect(page.getByRole('heading', { name: 'No matches found for walrus' })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await page.goto('/admin/engines');
  await page.getByRole('button', { name: 'Show rough speech' }).press('Enter');
  await expect(page.getByText('1 video has rough speech')).toContainText('Search lists these lines last');
  await put([]);
});

test('a film that nothing writes down says why in place of its lines, and that its meaning is not understood below its search', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  const film = await videoIdOf(page, 'Aurora over the fells');
  const { pool } = archive.database;
  const { rows } = await pool.query('select language from videos where id = $1', [film]);
  for (const [step, reason] of [
    ['speech', unheard],
    ['meaning', { is: 'other-language', understood: 'English', language: 'nb' }],
  ] as const) {
    await startStep(pool, film, step);
    await skipStep(pool, film, { step, reason });
  }
  await pool.query("update videos set language = 'nb' where id = $1", [film]);
  await page.goto(`/video/${film}`);
  const insights = insightsOf(page);
  await expect(insights.getByText('this video is in another language (nb).')).toBeVisible();
  await expect(insights.getByText(sayWhySkipped(unheard))).toBeInViewport();
  await takePicture(page, 'no-speech-insights');
  await insights.getByRole('tab', { name: 'Timeline' }).click();
  await expect(insights.getByText(sayWhySkipped(unheard))).toBeVisible();
  await insights.getByRole('radio', { name: 'On-screen text' }).click();
  await expect(insights.getByText('No on-screen text has been recognised in this video.')).toBeVisible();
  await insights.getByRole('radio', { name: 'Speech' }).click();
  await expect(insights.getByText(sayWhySkipped(unheard))).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'no-speech-timeline-390');
  await pool.query('update videos set language = $2 where id = $1', [film, rows[0]?.language]);
});

test('names of the catalogue say so once for all of them, and each for itself beside what a machine found', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const section = (name: string) => insightsOf(page).getByRole('region', { name });
  await page.goto(`/video/${id}`);
  await expect(section('Labels').getByText('catalogue', { exact: true })).toHaveCount(1);
  await takePicture(page, 'catalogue-names');
  const seen = { kind: 'Annotations', source: 'machine', startMs: 1_000, endMs: 9_000, text: 'lighthouse', confidencePercent: 60 } as const;
  const label = (moments: Moment[]) =>
    publishLayers(archive.database.pool, id, { madeBy: 'labels', version: 1, layers: [{ name: 'labels', names: [], moments }] });
  await label([seen]);
  await page.reload();
  await expect(section('Labels').getByText('machine', { exact: true })).toHaveCount(1);
  await expect(section('Labels').getByRole('button', { name: 'catalogue' })).not.toHaveCount(0);
  await takePicture(page, 'catalogue-names-beside');
  await label([]);
});
