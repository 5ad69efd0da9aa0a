import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { test as base, enterAs, expect, expectAccessible, type JourneyArchive, preparedArchive, takePicture } from './journey.ts';

/** A server of models that sends one bit by bit, until it is told to go. */
async function openHub() {
  let isGone = false;
  const server = createServer((_request, response) => {
    if (isGone) return void response.writeHead(404).end();
    response.writeHead(200);
    const sending = setInterval(() => response.write(Buffer.alloc(2_000_000)), 250);
    response.on('close', () => clearInterval(sending));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const go = () => {
    isGone = true;
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, go, close: () => server.close() };
}

/** An archive that fetches models from this machine. */
const test = base.extend<object, { hub: Awaited<ReturnType<typeof openHub>>; archive: JourneyArchive }>({
  hub: [
    async ({ browserName: _ }, use) => {
      const hub = await openHub();
      await use(hub);
      hub.go();
      hub.close();
    },
    { scope: 'worker' },
  ],
  archive: [
    async ({ hub }, use) => {
      const archive = await startPreparedArchive(preparedArchive(), { RUSHES_MODEL_HUB: hub.address });
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker' },
  ],
});

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name }) });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
/** As if an older version had read three of the sample films. */
async function makeOlder({ database: { pool } }: JourneyArchive): Promise<void> {
  await pool.query(
    `update ingest_steps
        set state = 'done', version = 1, result = '{"stretchesMs": [], "engine": "Silero VAD", "engineVersion": "0.9"}'
      where step = 'voice' and video_id in (select video_id from ingest_steps where step = 'voice' order by video_id limit 3)`,
  );
}

test('an administrator sees what each engine is and why one is off, has films read again and a model fetched, by keyboard alone', async ({
  page,
  archive,
  hub,
}) => {
  await makeOlder(archive);
  await enterAs(page, archive, { viewer: true, editor: true, admin: true });
  await page.goto('/admin');
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Engines' }).press('Enter');
  await expect(page).toHaveURL('/admin/engines');
  await expect(page.getByRole('heading', { level: 2, name: 'Speech detection' })).toBeVisible();
  await expect(card(page, 'Silero VAD')).toContainText('On');
  await expect(card(page, 'Silero VAD')).toContainText('silero_vad_16k_op15.onnx');
  await expect(card(page, 'Whisper')).toContainText('There is no model file. Download a model below');
  await expect(card(page, 'pocketsphinx')).toContainText('Rough: gets most words of real speech wrong');
  await expectAccessible(page);
  await takePicture(page, 'engines');

  await card(page, 'Silero VAD').getByRole('button', { name: 'Read 3 videos again with this version' }).press('Enter');
  await expect(page.getByText('3 videos will be read in the background. New videos go first.')).toBeVisible();
  await expect(card(page, 'Silero VAD').getByRole('button')).toBeHidden();

  const download = rowOf(page, 'base.en').getByRole('button', { name: 'Download base.en' });
  const cancel = rowOf(page, 'base.en').getByRole('button', { name: 'Cancel base.en' });
  await download.press('Enter');
  await expect(rowOf(page, 'base.en').getByRole('progressbar', { name: 'Downloading base.en' })).toBeVisible();
  await expect(rowOf(page, 'base.en')).toContainText(/[1-9]\d?%/);
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'base.en').getByRole('progressbar')).toBeHidden();
  await expect(download).toBeFocused();
  hub.go();
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'base.en')).toContainText('The model could not be downloaded: its server answered 404.', { timeout: 20_000 });
  await expect(rowOf(page, 'base.en').getByRole('button', { name: 'Try again base.en' })).toBeEnabled();
  await expectAccessible(page);
});

test('recognising people is off until an administrator has read that it takes biometric data, and off again at one press', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { admin: true });
  await page.goto('/admin/engines');
  const section = page.getByRole('region', { name: 'Recognising people across videos' });
  await expect(section).toContainText('Off. Faces are matched within one video only');
  await section.getByRole('button', { name: 'Turn on…' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Recognise people across videos?' });
  await expect(question).toContainText('This is biometric data');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await takePicture(page, 'recognition-asked');
  await question.getByRole('button', { name: 'Turn on' }).click();
  await expect(section).toContainText('On since');
  await takePicture(page, 'recognition');
  await section.getByRole('button', { name: 'Turn off and delete face data' }).click();
  await expect(section).toContainText('Off. Faces');
});

test('the engines fit a telephone', async ({ page, archive }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await enterAs(page, archive, { admin: true });
  await page.goto('/admin/engines');
  await expect(card(page, 'Whisper')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('nobody but administrators comes to the engines', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true, editor: true });
  await page.goto('/admin/engines');
  await expect(page.getByRole('heading', { name: 'Speech detection' })).toBeHidden();
  expect((await page.request.get('/api/engines')).status()).toBe(403);
});
