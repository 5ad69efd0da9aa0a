import { limits, serverLimits } from '#contract/limits.ts';

/** Joiners stay where they hold a pictogram together. */
const invisible = /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/gu;
const readable = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const piledUpMarks = /\p{M}{9}/u;

/** The name to show: the first of the given ones that can be read, else the e-mail, else that somebody is new here. */
export function displayNameOf(email: string, ...names: readonly (string | null | undefined)[]): string {
  return names.map(toReadableName).find((name) => name !== '') || email || 'Newcomer';
}

/** A name cleaned of invisible marks and cut; empty when nobody could read what is left. */
export function toReadableName(name: string | null | undefined): string {
  const short = [...toOneLine((name ?? '').slice(0, serverLimits.displayNameReadMaxCharacters))]
    .slice(0, limits.displayNameMaxCodePoints)
    .join('')
    .trim();
  return readable.test(short) && !piledUpMarks.test(short) ? short : '';
}

/** A name that somebody wrote for themselves, cleaned; null when it is too long or cannot be read. */
export function parseDisplayName(text: string): string | null {
  if (text.length > serverLimits.displayNameReadMaxCharacters) return null;
  const name = toOneLine(text);
  return name !== '' && name === toReadableName(name) ? name : null;
}

/** The text in one line, without marks that nobody sees or that turn the direction of what follows. */
export function toOneLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\u0085]+/g, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .trim();
}
