import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { type StandInCdn, startStandInCdn } from '#testing/stand-in-cdn.ts';
import { test as base, enterAs, expect, type JourneyArchive, playerSeconds, preparedArchive, videoIdOf } from './journey.ts';

/** An archive that visitors know by the address of what stands before it. */
const test = base.extend<object, { cdn: StandInCdn; archive: JourneyArchive }>({
  cdn: [
    async ({ browserName: _ }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'rushes-cdn-'));
      const cdn = await startStandInCdn(join(folder, 'key.pem'));
      await use(cdn);
      await cdn.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  archive: [
    async ({ cdn }, use) => {
      const archive = await startPreparedArchive(preparedArchive(), { ...cdn.settings, RUSHES_LISTEN: '127.0.0.1' });
      cdn.standBefore(archive.origin);
      await use({ ...archive, origin: cdn.origin });
      await archive.stop();
    },
    { scope: 'worker' },
  ],
});

test('a film plays from a content delivery network that keeps it, is renewed while it plays, and goes on where it was refused once', async ({
  page,
  browser,
  archive,
  cdn,
}) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const isRenewed = () => page.waitForResponse((answer) => answer.url().endsWith(`/media/${id}/cdn-cookie`) && answer.status() === 204);
  await page.goto(`/video/${id}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
  expect(cdn.counts.fetched).toBeGreaterThan(0);
  await isRenewed();
  await isRenewed();
  expect(cdn.counts.refused).toBe(0);

  // Somebody else's browser has nothing of it yet; the network has. Where it refuses once, the player asks for everything anew.
  const elsewhere = await browser.newContext({ baseURL: archive.origin });
  const other = await elsewhere.newPage();
  await enterAs(other, archive, { viewer: true });
  const isOpenedAnew = other.waitForResponse((answer) => answer.url().endsWith(`/media/${id}/session`) && answer.status() === 204);
  await other.route(/\.m4s/, (route) => route.fulfill({ status: 403 }), { times: 1 });
  await other.goto(`/video/${id}`);
  await isOpenedAnew;
  await expect.poll(() => playerSeconds(other)).toBeGreaterThan(0);
  expect(cdn.counts.kept).toBeGreaterThan(0);
  await elsewhere.close();
});
