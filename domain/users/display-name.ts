import { limits } from '#contract/limits.ts';

/** Joiners stay where they hold a pictogram together. */
const invisible = /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/gu;
const readable = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const piledUpMarks = /\p{M}{9}/u;

/** The name to show: the first of the given ones that can be read, else the e-mail, else that somebody is new here. */
export function displayNameOf(email: string, ...names: readonly (string | null | undefined)[]): string {
  return names.map(readableName).find((name) => name !== '') || email || 'Newcomer';
}

/** A name cleaned of invisible marks and cut; empty when nobody could read what is left. */
export function readableName(name: string | null | undefined): string {
  const cleaned = (name ?? '')
    .normalize('NFC')
    .replace(/[\s\u0085]+/g, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .trim();
  const short = [...cleaned].slice(0, limits.displayNameMaxCodePoints).join('').trim();
  return readable.test(short) && !piledUpMarks.test(short) ? short : '';
}
