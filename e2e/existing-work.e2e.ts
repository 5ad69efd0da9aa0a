import { enterAs, expect, expectAccessible, takePicture, test } from './journey.ts';

const interview = `<ROOT><record id="00063"><title>Interview with Mara Lind</title><accession>2013oh001</accession><duration>0:04:00</duration>
<interviewee>Mara Lind</interviewee><index><point><time>90</time><title>The storm</title><keywords>fog; lamps</keywords></point>
<point><time>when</time><title>Lost</title></point></index><vtt_transcript>WEBVTT

00:00:02.000 --> 00:00:04.500
We kept the quillwort light.
</vtt_transcript></record></ROOT>`;
const tapes = '{"id":"q1","title":"Quillwort tape one","lines":[{"start":1,"text":"The first reel."}],"people":["Jon Ness"]}\n{broken\n';

const taken = "from videos where origin = 'catalogue' and name ~ 'Lind|Quillwort'";
// The archive is shared with other journeys, which count on its films.
test.afterEach(({ archive }) => archive.database.pool.query(`delete ${taken}`));

test('an editor drops what another archive knows of films, sees what would be read and what cannot, takes it in, and finds it', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chosen).setFiles([
    { name: 'lind.xml', mimeType: 'text/xml', buffer: Buffer.from(interview) },
    { name: 'tapes.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(tapes) },
    { name: 'hostile.xml', mimeType: 'text/xml', buffer: Buffer.from(`<!DOCTYPE ROOT [<!ENTITY a "b">]>${interview}`) },
  ]);
  await expect(page.getByText('belong to no video here')).toBeVisible();
  await page.getByRole('link', { name: 'See what they contain' }).press('Enter');

  const first = page.getByRole('table', { name: 'Videos in lind.xml' });
  await expect(first.getByRole('row').nth(1)).toContainText('Interview with Mara Lind');
  await expect(first.getByRole('row').nth(1)).toContainText('1 line');
  await expect(first.getByRole('row').nth(1)).toContainText('The storm, fog, lamps');
  await expect(page.getByText('Index point 2 ignored: it has no readable time.')).toBeVisible();
  await expect(page.getByText('Line 2 refused: invalid JSON.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('hostile.xml could not be imported: it declares a document type');
  await takePicture(page, 'desk-existing-work');
  await expectAccessible(page);
  const counted = async () => (await archive.database.pool.query(`select ${taken}`)).rowCount;
  expect(await counted()).toBe(0);

  await page.getByRole('button', { name: 'Import 2 videos' }).press('Enter');
  await expect(page.getByRole('status').getByRole('paragraph').filter({ hasText: '2 videos imported.' })).toBeVisible();
  await expect(page.getByText('Nothing new in these files.')).toBeVisible();
  expect(await counted()).toBe(2);
  await first.getByRole('link', { name: 'Interview with Mara Lind' }).click();
  await expect(page.getByRole('heading', { name: 'Interview with Mara Lind' })).toBeVisible();
});
