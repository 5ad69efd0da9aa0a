import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeClip, makeMedia } from '../media-clips.ts';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { filmScenes, runFilmKills } from './film-rounds.ts';
import { nothingWrong } from './kill-figures.ts';
import { type KillableArchive, openKillableArchive } from './killable-archive.ts';

const rounds = wantsWholeCorpus ? 20 : 1;
let archive: KillableArchive;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-kill-films-'));
  if (canMakeMedia) {
    await makeClip(join(folder, 'clip.mp4'));
    // One that is to be encoded, in two sizes.
    await makeMedia(['-f', 'lavfi', '-i', 'testsrc=s=640x480:r=25:d=12', '-c:v', 'mpeg4', join(folder, 'encoded.mp4')]);
  }
  archive = await openKillableArchive();
}, 120_000);
afterAll(async () => {
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
});

// Whole, every scene; in a quick run two of them, in turn with what comes before and after.
const scenes = wantsWholeCorpus ? filmScenes : (['import', 'renditions'] as const);

test.skipIf(!canMakeMedia).for(scenes)(
  'kill -9 while a film is at %s loses nothing of it, and doubles nothing',
  { timeout: 3_600_000 },
  async (scene, { task }) => {
    const clip = join(folder, scene === largerRenditionsStep ? 'encoded.mp4' : 'clip.mp4');
    const options = { rounds, seed: 11, clip, print: (line: string) => console.info(`${scene}: ${line}`) };
    const figures = await runFilmKills(archive, scene, options);
    putReport(task, { check: 'kills', scene, ...figures });
    expect(figures).toEqual({ rounds, ...nothingWrong });
  },
);
