import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodePicture } from './encode-picture.ts';
import type { Film } from './film.ts';
import { filmLength } from './film-frames.ts';
import { runFfmpeg } from './run-ffmpeg.ts';
import { mixSound } from './sound/mix-sound.ts';
import { speak } from './sound/speak.ts';
import { writeCaptions } from './write-captions.ts';

const rights = 'Made by code for the Rushes project, which owns it. Free to use under the Apache License 2.0, the same as the project.';

/** Makes the clip and its sidecars; the answer is a line for the terminal. */
export async function makeFilm(film: Film, folder: string): Promise<string> {
  const work = await mkdtemp(path.join(tmpdir(), 'sample-film-'));
  const beside = (ending: string) => path.join(folder, `${film.fileName}.${ending}`);
  try {
    const spoken = film.sound && speak(film.sound, work);
    const picture = path.join(work, 'picture.mp4');
    await encodePicture(film, picture);
    if (film.sound && spoken) {
      const sound = mixSound(film.sound, { spoken, lengthInSeconds: filmLength(film), work });
      runFfmpeg(['-i', picture, '-i', sound, '-c', 'copy', '-movflags', '+faststart', beside('mp4')]);
      await writeFile(beside('en.vtt'), writeCaptions(spoken));
    } else {
      runFfmpeg(['-i', picture, '-c', 'copy', '-movflags', '+faststart', beside('mp4')]);
    }
    await writeFile(beside('json'), `${JSON.stringify(sidecar(film), null, 2)}\n`);
    const { size } = await stat(beside('mp4'));
    return `${film.fileName}.mp4  ${filmLength(film)} s  ${Math.round(size / 1000)} kB`;
  } finally {
    await rm(work, { recursive: true });
  }
}

function sidecar({ title, externalId, sound, details }: Film) {
  return { title, externalId, ...details, owner: 'Rushes', language: sound ? 'en' : undefined, rights };
}
