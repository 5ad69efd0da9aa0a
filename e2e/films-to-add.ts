import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page, Route } from '@playwright/test';
import { makeClip } from '#testing/media-clips.ts';

/** The row of a film or file under Add videos. */
export const rowOf = (page: Page, name: string) => page.locator('.job').filter({ has: page.getByRole('heading', { level: 3, name }) });

/** A film of so many bytes: what is behind it is passed over by whoever plays it. Returns its path. */
export async function makeFilm(path: string, hue: number, paddedTo = 0): Promise<string> {
  await makeClip(path, ['-vf', `hue=h=${hue}`]);
  const film = readFileSync(path);
  if (paddedTo <= film.length) return path;
  const room = Buffer.alloc(8);
  room.writeUInt32BE(paddedTo - film.length);
  room.write('free', 4);
  writeFileSync(path, Buffer.concat([film, room, randomBytes(paddedTo - film.length - 8)]));
  return path;
}

/** Keeps a piece of an upload that begins behind this byte from leaving, until somebody lets it. */
export function holdBack(page: Page) {
  const held: Route[] = [];
  const hold = (route: Route) => {
    const { 'upload-offset': offset = '0' } = route.request().headers();
    if (route.request().method() === 'PATCH' && Number(offset) > 0) held.push(route);
    else void route.continue();
  };
  return { held, begin: () => page.route('**/api/uploads/*', hold), end: () => page.unroute('**/api/uploads/*', hold) };
}
