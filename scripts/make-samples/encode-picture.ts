import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Film, framesPerSecond } from './film.ts';
import { filmFrames } from './film-frames.ts';

/** Draws the film straight into the encoder. */
export async function encodePicture(film: Film, file: string): Promise<void> {
  const encoder = spawn('ffmpeg', [...rawInput(film), ...settings(film), '-y', file], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(encoder, 'close');
  await pipeline(Readable.from(filmFrames(film)), encoder.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} while encoding ${film.title}`);
}

function rawInput({ width, height }: Film): string[] {
  const shape = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${framesPerSecond}`];
  return ['-v', 'error', ...shape, '-i', '-', '-vf', 'scale=out_color_matrix=bt709:out_range=tv'];
}

/** A key frame at least every two seconds, so that a stream can be cut without encoding again; aq-mode 3 spends bits on dark gradients. */
function settings({ quality }: Film): string[] {
  const x264 = [
    '-c:v',
    'libx264',
    '-preset',
    'slow',
    '-profile:v',
    'high',
    '-crf',
    `${quality}`,
    '-x264-params',
    'aq-mode=3:aq-strength=0.9',
  ];
  const keys = ['-g', `${framesPerSecond * 2}`, '-pix_fmt', 'yuv420p'];
  const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  return [...x264, ...keys, ...tags, '-threads', '2'];
}
