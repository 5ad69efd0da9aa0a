import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from './geometry.ts';

/** One playlist of a film as its master playlist names it. */
export interface Rendition {
  /** Folder below the master playlist. */
  readonly name: string;
  readonly durationInSeconds: number;
  readonly averageBitsPerSecond: number;
  readonly peakBitsPerSecond: number;
  readonly codecs: string;
  readonly size: Size | null;
}

/** Reads back what a tool wrote: the length that really is there, bit rates, and codec names from the first segment's header. */
export async function readRendition(folder: string, about: { name: string; size: Size | null }): Promise<Rendition> {
  const playlist = await readFile(join(folder, 'index.m3u8'), 'utf8');
  const segments = [...playlist.matchAll(/#EXTINF:([\d.]+),.*\r?\n(\S+)/g)].map(([, seconds, file]) => ({
    seconds: Number(seconds),
    file: file ?? '',
  }));
  const bits = await Promise.all(segments.map(async ({ file }) => (await stat(join(folder, file))).size * 8));
  const durationInSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const peaks = segments.map(({ seconds }, n) => (bits[n] ?? 0) / Math.max(seconds, 0.5));
  const allBits = bits.reduce((sum, size) => sum + size, 0);
  return {
    ...about,
    durationInSeconds,
    averageBitsPerSecond: Math.ceil(allBits / Math.max(durationInSeconds, 0.5)),
    peakBitsPerSecond: Math.ceil(peaks.reduce((peak, rate) => Math.max(peak, rate), 1)),
    codecs: codecsOf(await readFile(join(folder, 'init.mp4'))),
  };
}

/** The master playlist over these renditions, the best last as players that pick the first one start small. */
export function masterPlaylist(renditions: readonly Rendition[]): string {
  const entries = renditions
    .toSorted((a, b) => a.peakBitsPerSecond - b.peakBitsPerSecond)
    .flatMap((rendition) => {
      const attributes = [
        `BANDWIDTH=${rendition.peakBitsPerSecond}`,
        `AVERAGE-BANDWIDTH=${rendition.averageBitsPerSecond}`,
        ...(rendition.codecs ? [`CODECS="${rendition.codecs}"`] : []),
        ...(rendition.size ? [`RESOLUTION=${rendition.size.width}x${rendition.size.height}`] : []),
      ];
      return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, `${rendition.name}/index.m3u8`];
    });
  return ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...entries, ''].join('\n');
}

/** RFC 6381 names from an fMP4 header: the profile bytes stand right after the box name `avcC`. */
function codecsOf(header: Buffer): string {
  const avc = header.indexOf('avcC', 0, 'latin1');
  const video = avc === -1 ? [] : [`avc1.${header.subarray(avc + 5, avc + 8).toString('hex')}`];
  const audio = header.includes('mp4a', 0, 'latin1') ? ['mp4a.40.2'] : [];
  return [...video, ...audio].join(',');
}
