import { domainToUnicode } from 'node:url';
import type { UserRow } from '#contract/users.ts';

export type Caution = UserRow['cautions'][number];

/** What a look-alike is told from: somebody's name and e-mail, empty when there is none. */
export interface Known {
  readonly uid: string;
  readonly displayName: string;
  readonly email: string;
}

/**
 * What an administrator should look at twice in somebody who waits: letters of several scripts in one word, and the name or the
 * address of somebody who is active, or one that looks like it.
 */
export function cautionsOf(person: Known, active: readonly Known[]): Caution[] {
  const others = active.filter(({ uid }) => uid !== person.uid);
  const name = lookOf(person.displayName);
  const cautions: Caution[] = [];
  if (mixesScripts(person.displayName)) cautions.push('mixed-scripts');
  if (name !== '' && others.some(({ displayName }) => lookOf(displayName) === name)) cautions.push('same-name');
  if (others.some(({ email }) => looksAlike(person.email, email))) cautions.push('similar-address');
  return cautions;
}

/** Scripts whose letters pass for one another; those of East Asia are written together with Latin ones as a matter of course. */
const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

function mixesScripts(name: string): boolean {
  return name.split(/[^\p{L}\p{M}]+/u).some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Letters of other scripts, and digits, that look like Latin small letters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      а: 'a',
      в: 'b',
      е: 'e',
      к: 'k',
      м: 'm',
      н: 'h',
      о: 'o',
      р: 'p',
      с: 'c',
      т: 't',
      у: 'y',
      х: 'x',
      ѕ: 's',
      і: 'i',
      ј: 'j',
      ԁ: 'd',
      ԛ: 'q',
    },
    ...{ α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', μ: 'm', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ζ: 'z', ϲ: 'c' },
    ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ո: 'n', օ: 'o', ս: 'u', հ: 'h', ց: 'g', '0': 'o', '1': 'l', '|': 'l' },
  }),
);

/** The text as it looks from afar: without case, accents, gaps, and the script that its letters are of. */
function lookOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}|]+/gu, '');
  return [...plain]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

function looksAlike(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a !== null && b !== null && a.local === b.local && (a.host === b.host || isOneSlipAway(a.host, b.host));
}

function partsOf(email: string): { local: string; host: string } | null {
  const at = email.lastIndexOf('@');
  if (at < 1) return null;
  return { local: lookOf(email.slice(0, at)), host: lookOf(domainToUnicode(email.slice(at + 1))) };
}

/** Whether one letter more, less or other makes one of the other. Short names differ by one letter without being alike. */
function isOneSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 8 || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}
