import { expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { runRestoreDrill } from '../restore-drill.ts';
import { sharedMedia } from '../shared-media.ts';
import { newBucket } from '../shared-s3-server.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';

test('an archive that is backed up while it runs, and destroyed, comes back: every row, every file, every answer', {
  timeout: 900_000,
}, async ({ task }) => {
  const bucket = wantsWholeCorpus ? await newBucket() : null;
  const { differences, ...figures } = await runRestoreDrill({ media: wantsWholeCorpus ? sharedMedia() : undefined, bucket });
  putReport(task, { check: 'restore', ...figures, differing: differences.length });
  expect(differences).toEqual([]);
  expect(figures.places).toEqual(bucket ? ['folder', 'bucket'] : ['folder']);
});
