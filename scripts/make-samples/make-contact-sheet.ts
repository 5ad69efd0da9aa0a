import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Film, framesPerSecond } from './film.ts';
import { filmFrames, filmLength } from './film-frames.ts';

/** Draws every second second at half size into one PNG: enough to judge a film before its frames are worth encoding. */
export async function makeContactSheet(film: Film, folder: string): Promise<string> {
  const file = path.join(folder, `${film.fileName}.png`);
  const everySeconds = 2;
  const size = `${film.width / 2}x${film.height / 2}`;
  const columns = film.width > film.height ? 3 : 6;
  const rows = Math.ceil(filmLength(film) / everySeconds / columns);
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', '1', '-i', '-'];
  const sheet = ['-vf', `tile=${columns}x${rows}`, '-frames:v', '1', '-y', file];
  const encoder = spawn('ffmpeg', ['-v', 'error', ...input, ...sheet], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(encoder, 'close');
  await pipeline(Readable.from(filmFrames(film, { every: framesPerSecond * everySeconds, shrink: 2 })), encoder.stdin);
  await ended;
  return file;
}
