import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { frameOfShot, frameThumbnailIds, makePosterThumbnailId, makeStillThumbnailIds, readThumbnailId } from './thumbnail-ids.ts';

const secrets = { signingKeys: [], thumbnailKey: randomBytes(32), signInSecret: '' };
const videoId = '00112233ff';

test('posters and stills open for every caller, a frame only for the caller it was named to', () => {
  const poster = makePosterThumbnailId(secrets, videoId);
  const still = makeStillThumbnailIds(secrets, videoId)(7);
  const frame = frameThumbnailIds(secrets, { videoId, caller: 'ann' })(9);
  for (const id of [poster, still, frame]) expect(id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(readThumbnailId(secrets, { videoId, thumbnailId: poster, caller: 'anyone' })).toEqual({ kind: 'poster' });
  expect(readThumbnailId(secrets, { videoId, thumbnailId: still, caller: 'anyone' })).toEqual({ kind: 'still', frame: 7 });
  expect(readThumbnailId(secrets, { videoId, thumbnailId: frame, caller: 'ann' })).toEqual({ kind: 'frame', frame: 9 });
  expect(readThumbnailId(secrets, { videoId, thumbnailId: frame, caller: 'bob' })).toBeNull();
});

test('the still of a shot opens by its time for the caller it was named to, and is no frame of that number', () => {
  const idOf = frameThumbnailIds(secrets, { videoId, caller: 'ann' });
  const opened = (atMs: number, caller: string) => readThumbnailId(secrets, { videoId, thumbnailId: idOf(frameOfShot(atMs)), caller });
  expect([opened(0, 'ann'), opened(4_500, 'ann'), opened(4_500, 'bob')]).toEqual([
    { kind: 'shot', atMs: 0 },
    { kind: 'shot', atMs: 4_500 },
    null,
  ]);
  // Nobody has a film of a month, whose numbers would be those of posters.
  expect(opened(40 * 86_400_000, 'ann')).toMatchObject({ kind: 'shot' });
});

test('stills and frames have other ids with each version of a video’s pictures, and those of before are told from those of now', () => {
  const idsOf = (version: number) => [
    makeStillThumbnailIds(secrets, videoId, version)(7),
    frameThumbnailIds(secrets, { videoId, caller: 'ann', version })(9),
    frameThumbnailIds(secrets, { videoId, caller: 'ann', version })(frameOfShot(1_500)),
  ];
  expect(new Set([0, 1, 2].flatMap(idsOf)).size).toBe(9);
  const opened = (version: number, caller = 'ann') =>
    idsOf(version).map((thumbnailId) => readThumbnailId(secrets, { videoId, thumbnailId, caller, version: 1 }));
  const [still, frame, shot] = [
    { kind: 'still', frame: 7 },
    { kind: 'frame', frame: 9 },
    { kind: 'shot', atMs: 1_500 },
  ] as const;
  expect(opened(1)).toEqual([still, frame, shot]);
  expect(opened(0)).toEqual([still, frame, shot].map((one) => ({ ...one, isOfBefore: true })));
  expect([opened(2), opened(0, 'bob')]).toEqual([
    [null, null, null],
    [{ ...still, isOfBefore: true }, null, null],
  ]);
});

test('an id of one video opens nothing of another', () => {
  const thumbnailId = makePosterThumbnailId(secrets, videoId);
  expect(readThumbnailId(secrets, { videoId: '00112233fe', thumbnailId, caller: 'ann' })).toBeNull();
});

test('counting up from a frame that was named opens no further frame', () => {
  const named = frameThumbnailIds(secrets, { videoId, caller: 'ann' })(100);
  for (let frame = 0; frame < 200; frame++) {
    if (frame === 100) continue;
    const thumbnailId = frame.toString(16).padStart(8, '0') + named.slice(8);
    expect(readThumbnailId(secrets, { videoId, thumbnailId, caller: 'ann' })).toBeNull();
  }
});

test.each(['', 'x', '00000000-0000-0000-0000-000000000000', 'ffffffff-0000-0000-0000-000000000000', `${'a'.repeat(5_000)}`])(
  'a made-up id (%#) opens nothing',
  (thumbnailId) => {
    expect(readThumbnailId(secrets, { videoId, thumbnailId, caller: 'ann' })).toBeNull();
  },
);
