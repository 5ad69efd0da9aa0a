import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFramePack } from '#domain/files/frame-pack.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import type { Layer } from '#domain/moments/layers.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { createVideo, makeVideoId } from '#domain/videos/create-video.ts';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import type { Context } from '#server/context.ts';

export interface Film {
  readonly name?: string;
  readonly externalId?: string;
  readonly owner?: string;
  /** What is said, a line every four seconds. */
  readonly lines?: readonly string[];
  readonly people?: readonly string[];
  readonly labels?: readonly string[];
  readonly durationInSeconds?: number;
  /** False leaves it where ingest has only begun. */
  readonly processed?: boolean;
}

/** A film in the archive with the files that ingest would have made; returns its id. */
export async function addFilm({ pool, store }: Pick<Context, 'pool' | 'store'>, film: Film = {}): Promise<string> {
  const id = makeVideoId();
  const durationInSeconds = film.durationInSeconds ?? 60;
  await createVideo(pool, {
    id,
    name: film.name ?? `Film ${id}`,
    contentHash: createHash('sha256').update(originalOf(id)).digest('hex'),
    fileName: 'film.mp4',
    sizeBytes: 1_000,
    externalId: film.externalId ?? null,
    description: null,
    owner: film.owner ?? null,
    recordedAt: null,
    place: null,
    language: 'en',
    rights: null,
    people: film.people ?? [],
    labels: film.labels ?? [],
    brands: [],
  });
  await putFiles(store, id, durationInSeconds);
  if (film.processed === false) return id;
  const facts = { width: 640, height: 360, hasVideo: true, hasAudio: true, streamingPreset: 'SingleBitrate' } as const;
  const captions: Layer = { name: 'captions', moments: (film.lines ?? []).map(spoken) };
  await publishLayers(pool, id, { madeBy: 'captions', version: 1, layers: [captions] });
  await publishVideo(pool, { videoId: id, durationInSeconds, ...facts });
  return id;
}

/** What the original of such a film holds. */
export function originalOf(id: string): string {
  return `the original of ${id}`;
}

function spoken(text: string, n: number): Moment {
  return { kind: 'Transcript', startMs: n * 4_000, endMs: n * 4_000 + 3_500, text, source: 'sidecar', confidencePercent: 100 };
}

/** Not real pictures: who serves them does not look into them. Frame n says its number, the still of its one shot when it stands. */
async function putFiles(store: FileStore, id: string, durationInSeconds: number): Promise<void> {
  const keys = toVideoKeys(id);
  const texts: [key: string, text: string][] = [
    [`${keys.hls}/master.m3u8`, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1/index.m3u8\n'],
    [`${keys.hls}/v1/index.m3u8`, '#EXTM3U\nsegment-00000.m4s\n'],
    [`${keys.hls}/v1/segment-00000.m4s`, 'abcdefghij'],
    [keys.original, originalOf(id)],
    [keys.poster, 'poster'],
    [keys.captions, 'WEBVTT\n'],
  ];
  for (const [key, text] of texts) await store.put(key, Buffer.from(text));
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-film-'));
  const frames = Array.from({ length: Math.ceil(durationInSeconds / 2) }, (_, n) => join(scratch, `frame-${n}.jpg`));
  for (const [n, path] of frames.entries()) writeFileSync(path, `frame ${n}`);
  await writeFramePack(join(scratch, 'frames.pack'), frames);
  await store.put(keys.framePack, { path: join(scratch, 'frames.pack') });
  writeFileSync(join(scratch, 'shot.jpg'), 'shot at 1500');
  await writeFramePack(join(scratch, 'shots.pack'), [join(scratch, 'shot.jpg')], [1_500]);
  await store.put(keys.shotPack, { path: join(scratch, 'shots.pack') });
  rmSync(scratch, { recursive: true });
}
