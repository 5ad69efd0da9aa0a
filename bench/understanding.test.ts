import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';

test.skipIf(!canMakeMedia)(
  'what understands films is measured over a folder of somebody’s own footage, by the truth that lies beside it',
  { timeout: 180_000 },
  async () => {
    const media = mkdtempSync(join(tmpdir(), 'rushes-own-footage-'));
    onTestFinished(() => rmSync(media, { recursive: true, force: true }));
    mkdirSync(join(media, 'videos'));
    const title = "drawtext=font=sans:fontcolor=white:text='HARBOUR MASTER':fontsize=34:x=80:y=180";
    await makeMedia([
      '-f',
      'lavfi',
      '-i',
      'color=navy:s=640x360:r=10:d=4',
      '-vf',
      title,
      '-pix_fmt',
      'yuv420p',
      join(media, 'videos/slide.mp4'),
    ]);
    const onScreen = [{ start: 0, end: 4, text: 'HARBOUR MASTER QUARTERLY' }];
    const clip = { id: 'slide', file: 'videos/slide.mp4', durationSeconds: 4, truth: { onScreen } };
    writeFileSync(join(media, 'videos-open.jsonl'), `${JSON.stringify(clip)}\n`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'understanding.ts'), '--media', media], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    // Nobody says anything in it, so that there is no line for speech.
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        step: 'text',
        set: 'clips',
        recall: 0.667,
        precision: 1,
        clips: 1,
        missedWords: ['quarterly'],
        extraWords: [],
        realTimeFactor: expect.any(Number),
        peakRssMB: expect.any(Number),
      },
    ]);
  },
);
