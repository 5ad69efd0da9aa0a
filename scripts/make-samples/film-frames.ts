import type { Buffer } from 'node:buffer';
import { type Film, framesPerSecond } from './film.ts';
import { rise } from './light/curves.ts';
import { develop } from './light/develop.ts';
import { Picture } from './light/picture.ts';

export function filmLength(film: Film): number {
  return film.shots.reduce((sum, shot) => sum + shot.lengthInSeconds, 0);
}

/** Every frame of the film as RGB bytes, or every n-th at a smaller size. */
export function* filmFrames(film: Film, { every = 1, shrink = 1 }: { every?: number; shrink?: number } = {}): Generator<Buffer> {
  const picture = new Picture(Math.round(film.width / shrink), Math.round(film.height / shrink));
  const end = filmLength(film) * framesPerSecond;
  let number = 0;
  for (const shot of film.shots) {
    for (let frame = 0; frame < shot.lengthInSeconds * framesPerSecond; frame++, number++) {
      if (number % every !== 0) continue;
      shot.draw(picture, frame / framesPerSecond);
      const brightness = rise(-6, 14, number) * rise(end, end - 18, number);
      yield develop(picture, shot.print, { number, brightness });
    }
  }
}
