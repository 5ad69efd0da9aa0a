import { afterAll, beforeAll, expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { nothingWrong } from './kill-figures.ts';
import { type KillableArchive, openKillableArchive } from './killable-archive.ts';
import { type PeopleScene, runPeopleKills } from './people-rounds.ts';

const scenes: [scene: PeopleScene, whole: number, sample: number][] = [
  ['role-change', 20, 1],
  ['sign-up', 20, 1],
  ['database', 100, 2],
];

let archive: KillableArchive;
beforeAll(async () => {
  archive = await openKillableArchive();
}, 120_000);
afterAll(() => archive.close());

test.for(scenes)(
  'kill -9 in the scene %s loses no acknowledged change',
  { timeout: 1_800_000 },
  async ([scene, whole, sample], { task }) => {
    const rounds = wantsWholeCorpus ? whole : sample;
    const figures = await runPeopleKills(archive, scene, { rounds, seed: 7, print: (line) => console.info(`${scene}: ${line}`) });
    putReport(task, { check: 'kills', scene, ...figures });
    expect(figures).toEqual({ rounds, ...nothingWrong });
  },
);
