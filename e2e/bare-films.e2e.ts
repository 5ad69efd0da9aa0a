import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { runImport } from '#testing/run-import.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { until } from '#testing/until.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { test as base, enterAs, expect, insightsOf, type JourneyArchive, preparedArchive, takePicture } from './journey.ts';

const media = sharedMedia();
/** Slides, titles, subtitles drawn as pictures, a face, and two in which nothing known is to be seen. */
const films = [
  'eth-slides-climate.mov',
  'big-buck-bunny-opening.webm',
  'popeye-sindbad-1-pgs.mkv',
  'his-girl-friday-hildy.mp4',
  'flower.mp4',
  'squirrel-vertical-rot.mp4',
];

/** An archive into which the real command has brought films without anything that was written about them, each understood to its end. */
const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      const folder = mkdtempSync(join(tmpdir(), 'rushes-bare-'));
      for (const film of films) copyFileSync(join(media ?? '', 'videos', film), join(folder, film));
      const run = await runImport([folder], { DATABASE_URL: archive.database.url, RUSHES_DATA: archive.dataFolder });
      expect(run.exitCode, run.output).toBe(0);
      await untilUnderstood(archive);
      await use(archive);
      await archive.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 1_200_000 },
  ],
});

// biome-ignore lint/suspicious/noSkippedTests: minutes of reading and looking, of which npm test has each step on its own
test.skip(!media || !wantsWholeCorpus, 'asked for with the whole corpus, where the shared footage is');

async function untilUnderstood({ database, output }: JourneyArchive): Promise<void> {
  const isDone = async () => {
    const { rows } = await database.pool.query(
      `select from videos v left join ingest_steps s on s.video_id = v.id and s.state in ('waiting', 'running')
        where s.step is not null or v.indexed_revision < v.revision`,
    );
    return rows.length === 0;
  };
  await until(isDone, {
    withinMs: 1_100_000,
    everyMs: 1_000,
    otherwise: () => `The films were not understood in 18 minutes:\n${output()}`,
  });
}

/** Asks the search page, until the index has what was done last, for one film that shows `text`. */
async function expectFound(page: Page, query: string, film: string, text: string): Promise<void> {
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { level: 2, name: film }) });
  await expect(async () => {
    await page.goto(`/search?query=${encodeURIComponent(query)}`);
    await expect(card).toContainText(text, { timeout: 2_000 });
  }, `${query} finds ${film}`).toPass({ timeout: 30_000 });
}

const finds = [
  ['slide', '"key players on the climate scene"', 'Eth slides climate', 'Climate Scene'],
  ['credit', 'peach open movie', 'Big buck bunny opening', 'OPEN MOVIE'],
  ['picture-subtitles', 'whale of an island', 'Popeye sindbad 1 pgs', 'whale'],
  ['meaning', 'a boastful mariner', 'Popeye sindbad 1 pgs', 'Closest by meaning'],
  ['label', 'person', 'His girl friday hildy', 'Label: person'],
  ['brand', 'nasa', 'Eth slides climate', 'Brand: NASA'],
] as const;

test('a folder of films without a word about them is found by what is said, written and seen in them', async ({ page, archive }) => {
  test.setTimeout(300_000);
  await enterAs(page, archive, { viewer: true, editor: true, admin: true });
  for (const [what, query, film, text] of finds) {
    await expectFound(page, query, film, text);
    await takePicture(page, `bare-${what}`);
  }

  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(insightsOf(page).getByRole('region', { name: 'Brands' })).toBeVisible();
  await takePicture(page, 'bare-insights');

  await page.goto('/search?query=his+girl+friday');
  await page.getByRole('article').first().getByRole('link').first().click();
  await page.getByRole('button', { name: 'Name people' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'People' });
  await dialog.getByRole('combobox', { name: 'Unknown 1' }).fill('Rosalind Russell');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Named Rosalind Russell.');
  await takePicture(page, 'bare-naming');
  await expectFound(page, 'rosalind russell', 'His girl friday hildy', 'Person');
  await takePicture(page, 'bare-person');

  await page.goto('/admin/engines');
  await expect(page.getByRole('heading', { level: 2, name: 'Speech detection' })).toBeVisible();
  await takePicture(page, 'bare-engines');
});

test('nobody is seen and nothing is named in films in which nobody and nothing known is', async ({ archive }) => {
  const { rows } = await archive.database.pool.query(
    `select v.people, v.labels from videos v where v.file_name in ('flower.mp4', 'squirrel-vertical-rot.mp4')`,
  );
  expect(rows).toEqual([
    { people: [], labels: [] },
    { people: [], labels: [] },
  ]);
});
