import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { canMakeMedia } from '#testing/media-clips.ts';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { runImport } from '#testing/run-import.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { test as base, enterAs, expect, type JourneyArchive, playerOf, preparedArchive } from './journey.ts';

const media = sharedMedia();
const Record = z.object({
  file: z.string(),
  video: z.object({ width: z.number(), height: z.number(), rotation: z.number() }).nullable(),
});
/** One film of each kind: copied, encoded, turned, tall, pixels that are not square, odd sizes, with subtitles, sound alone, damaged. */
const sample = [
  'smpte-bars-timecode.mp4',
  'eth-slides-climate.mov',
  'squirrel-vertical-rot.mp4',
  'office-desk-phone.3gp',
  'bear-odd-161x121.webm',
  'office-selfie-embedded-srt.mkv',
  'lewin-physics-lecture-audio.webm',
  'corrupted-broken-h264.mp4',
];
const all = media
  ? readFileSync(join(media, 'videos-open.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => Record.parse(JSON.parse(line)))
  : [];
const records = wantsWholeCorpus ? all : all.filter(({ file }) => sample.includes(basename(file)));
const refused = 'corrupted-broken-h264.mp4';
const frameBytes = 480 * 270 * 4;

/** An archive into which the real command has brought the shared footage. */
const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      const settings = { DATABASE_URL: archive.database.url, RUSHES_DATA: archive.dataFolder };
      const run = await runImport(
        records.map(({ file }) => join(media ?? '', file)),
        settings,
      );
      expect(run.exitCode, run.output).toBe(1);
      expect(run.output).toMatch(new RegExp(`${refused}.*(refused|damaged|cannot|failed)`, 'is'));
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

// biome-ignore lint/suspicious/noSkippedTests: skipped and counted where the footage is not
test.skip(!media, 'the shared footage is not here');

test('every film that was taken plays in the browser with its picture upright, and sound alone plays too', async ({ page, archive }) => {
  test.setTimeout(300_000);
  await enterAs(page, archive, { viewer: true });
  for (const { file, video } of records.filter((record) => basename(record.file) !== refused)) {
    await page.goto(`/video/${await idOf(archive, basename(file))}`);
    await expect.poll(() => playback(page), { message: file, timeout: 20_000 }).toMatchObject({ plays: true });
    const { width, height } = await playback(page);
    if (!video) continue;
    const turned = video.rotation % 180 !== 0;
    const ratio = turned ? video.height / video.width : video.width / video.height;
    // Pixels that are not square (the phone's 12:11) make up to a ninth.
    expect(Math.abs(width / height - ratio), `${file} is ${width} x ${height}`).toBeLessThan(0.12);
  }
  const report = {
    check: 'footage',
    taken: records.length - 1,
    played: records.length - 1,
    refused: 1,
    leftOut: all.length - records.length,
  };
  test.info().annotations.push({ type: 'report', description: JSON.stringify(report) });
});

for (const start of [0, 7, 9]) {
  test(`9.7 a seek to t=${start} shows that very picture: the clock of the test film`, async ({ page, archive }) => {
    const film = join(media ?? '', 'videos', 'smpte-bars-timecode.mp4');
    // biome-ignore lint/suspicious/noSkippedTests: the pictures to compare with come from ffmpeg
    test.skip(!canMakeMedia, 'there is no ffmpeg');
    await enterAs(page, archive, { viewer: true });
    await page.goto(`/video/${await idOf(archive, basename(film))}?t=${start}`);
    await expect.poll(async () => (await playback(page)).seconds, { timeout: 20_000 }).toBeGreaterThanOrEqual(start);
    await playerOf(page).getByRole('button', { name: 'Pause' }).click();
    expect((await playback(page)).seconds).toBeLessThan(start + 8);

    // Paused, and asked for that second once more: the clock in the picture is of that second.
    await page.evaluate((time) => document.querySelector('iframe')?.contentWindow?.postMessage({ time }, location.origin), start);
    const video = playerOf(page).locator('video');
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement, at) => !element.seeking && Math.abs(element.currentTime - at) < 0.15, start))
      .toBe(true);
    const picture = await pictureOf(page);
    const from = Math.max(0, start - 0.4);
    const nearest = framesFrom(film, from)
      .map((frame, n) => ({ at: from + n * 0.04 + 0.02, by: difference(picture, frame) }))
      .reduce((best, one) => (one.by < best.by ? one : best));
    expect(Math.floor(nearest.at), `${start} shows ${nearest.at}`).toBe(start);
    await expect(playerOf(page).locator('time').first()).toContainText(`00:00:0${start}`);
  });
}

async function pictureOf(page: Page): Promise<number[]> {
  return await playerOf(page)
    .locator('video')
    .evaluate((element: HTMLVideoElement) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [480, 270];
      const brush = canvas.getContext('2d');
      brush?.drawImage(element, 0, 0, 480, 270);
      return [...(brush?.getImageData(0, 0, 480, 270).data ?? [])];
    });
}

async function idOf(archive: JourneyArchive, fileName: string): Promise<string> {
  const { rows } = await archive.database.pool.query('select id from videos where file_name = $1', [fileName]);
  return rows[0]?.id ?? `${fileName} was not imported`;
}

async function playback(page: Page) {
  return await playerOf(page)
    .locator('video')
    .evaluate((element: HTMLVideoElement) => ({
      // A film of a few frames has ended before anybody looks.
      plays: element.readyState >= 2 && (element.currentTime > 0 || element.ended) && !element.error,
      seconds: element.currentTime,
      width: element.videoWidth,
      height: element.videoHeight,
    }));
}

/** Twenty frames of the film, of 25 to the second, beginning there. */
function framesFrom(film: string, seconds: number): Buffer[] {
  const pictures = ['-frames:v', '20', '-vf', 'fps=25,scale=480:270', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const args = ['-v', 'error', '-nostdin', '-ss', String(seconds), '-i', film, ...pictures];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 20 * frameBytes + 1 });
  return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, n) => bytes.subarray(n * frameBytes, (n + 1) * frameBytes));
}

function difference(pixels: readonly number[], frame: Buffer): number {
  return pixels.reduce((sum, value, n) => sum + Math.abs(value - (frame[n] ?? 0)), 0);
}
