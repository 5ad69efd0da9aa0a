import { basename } from 'node:path';
import { limits } from '#contract/limits.ts';
import { cleanText } from '../videos/clean-text.ts';

/** A file's name as text to be kept, with its ending, which says what it is; it never becomes part of a path. */
export function toKeptFileName(name: string): string {
  const clean = cleanText(basename(name), name.length);
  const most = limits.videoNameMaxCodePoints;
  if ([...clean].length <= most) return clean;
  const ending = /\.[a-z0-9]{1,12}$/i.exec(clean)?.[0] ?? '';
  return `${cleanText(clean.slice(0, clean.length - ending.length), most - ending.length)}${ending}`;
}

/** A title made of a file's name: without its ending, with spaces for what stands in for them, an item code in brackets left as it is. */
export function titleOfFileName(name: string): string {
  const stem = cleanText(basename(name), 2 * limits.videoNameMaxCodePoints).replace(/\.[a-z0-9]{1,5}$/i, '');
  const standsForSpace = /\s/.test(stem) ? /_+/g : /[_.-]+/g;
  const spaced = stem.replace(/\[[^\]]*\]|[^[]+/g, (part) => (part.startsWith('[') ? ` ${part}` : part.replace(standsForSpace, ' ')));
  const title = cleanText(spaced, limits.videoNameMaxCodePoints);
  return title === '' ? 'Untitled footage' : title[0]?.toUpperCase() + title.slice(1);
}
