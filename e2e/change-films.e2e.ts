import type { Moment } from '#domain/moments/moment.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { correctLines, listLines } from '#domain/videos/corrections/correct-lines.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addPerson } from '#testing/add-person.ts';
import { enterAs, expect, type JourneyArchive, takePicture, test, videoIdOf } from './journey.ts';

/** Has a machine hear something in a film. */
async function hear({ database }: JourneyArchive, videoId: string, text: string): Promise<void> {
  const moment: Moment = { kind: 'Transcript', startMs: 20_000, endMs: 23_000, text, source: 'machine', confidencePercent: 41 };
  await publishLayers(database.pool, videoId, { madeBy: 'a journey', version: 1, layers: [{ name: 'captions', moments: [moment] }] });
}

test('an editor keeps several films back until a time, and shows them to everyone again with one press', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const ids = [await videoIdOf(page, 'Under the pier'), await videoIdOf(page, 'Dunes in the wind')];
  await page.goto('/desk/films');
  for (const name of ['Under the pier', 'Dunes in the wind'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: 'Change visibility' }).click();
  const window = page.getByRole('dialog', { name: 'Who can see 2 videos' });
  await window.getByRole('radio', { name: 'From a date' }).click();
  await window.getByLabel('From (this device’s time)').fill('2100-01-01T09:00');
  await takePicture(page, 'desk-embargo');
  await window.getByRole('button', { name: 'Change 2 videos' }).click();
  const told = page.getByRole('status').getByRole('paragraph').filter({ hasText: 'Visibility of 2 videos changed.' });
  await expect(told).toBeVisible();
  const kept = async () =>
    (
      await archive.database.pool.query(
        `select count(*)::int as n from film_visibility
          where video_id = any ($1) and shown_to = 'editors' and extract(year from until at time zone 'UTC') in (2099, 2100)`,
        [ids],
      )
    ).rows[0]?.n;
  expect(await kept()).toBe(2);
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await kept()).toBe(0);
});

test('what somebody else wrote before a word was replaced in all films stays, and is told with the film that it is in', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const other = await addPerson({ pool: archive.database.pool, secrets: loadSecrets(archive.dataFolder) }, { editor: true });
  const [express, tram] = [await videoIdOf(page, 'Evening express (1969)'), await videoIdOf(page, 'Night tram, line 28')];
  for (const id of [express, tram]) await hear(archive, id, 'The petrel of Norvik');
  await page.goto('/desk/replace');
  await page.getByLabel('Find', { exact: true }).fill('petrel of norvik');
  await page.getByLabel('Replace with').fill('Petrel of Narvik');
  await page.keyboard.press('Enter');
  const replace = page.getByRole('button', { name: 'Replace in 2 lines of 2 videos' });
  await expect(replace).toBeVisible();
  const seen = (await listLines(archive.database.pool, tram)).find(({ text }) => text === 'The petrel of Norvik');
  if (!seen) throw new Error('the film does not say it');
  const line = { startMs: seen.startMs, endMs: seen.endMs, text: seen.text, speaker: seen.speaker };
  await correctLines(archive.database.pool, {
    videoId: tram,
    actorUid: other.uid,
    from: '127.0.0.1',
    changes: [{ replaces: [line], lines: [{ ...line, text: 'A petrel of Norvik' }] }],
  });
  await replace.press('Enter');
  const why = 'Someone else has changed this: it is “A petrel of Norvik';
  await expect(page.getByText(`1 line of 1 video changed. “Night tram, line 28”: ${why}`)).toBeVisible();
  const rows = page.getByRole('region', { name: 'What would change' }).getByRole('listitem');
  await expect(rows.filter({ hasText: `Not changed. ${why}` })).toContainText('Night tram, line 28');
  await expect(rows.filter({ hasText: 'Not changed.' })).toHaveCount(1);
  await takePicture(page, 'desk-replace-refused');
  await page.getByRole('button', { name: 'Undo all' }).press('Enter');
  await expect(page.getByText('Undone.')).toBeVisible();
});
