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
 * Prepares to tell look-alikes of those who are active. What comes back says of somebody who waits what an administrator should
 * look at twice: letters of several scripts in one word, and the name or the address of somebody active, or one that looks like it.
 */
export function lookOut(active: readonly Known[]): (person: Known) => Caution[] {
  const hostLooks = new Map<string, string>();
  const byName = Map.groupBy(active, ({ displayName }) => lookOf(displayName));
  const byLocal = Map.groupBy(active, ({ email }) => localOf(email));
  const hostOf = ({ email }: Known) => {
    const host = email.slice(email.lastIndexOf('@') + 1);
    const look = hostLooks.get(host) ?? lookOf(domainToUnicode(host));
    hostLooks.set(host, look);
    return look;
  };
  return (person) => {
    const isAnother = ({ uid }: Known) => uid !== person.uid;
    const [name, local] = [lookOf(person.displayName), localOf(person.email)];
    const namesakes = name === '' ? [] : (byName.get(name) ?? []).filter(isAnother);
    const neighbours = local === '' ? [] : (byLocal.get(local) ?? []).filter(isAnother);
    const cautions: Caution[] = [];
    if (mixesScripts(person.displayName)) cautions.push('mixed-scripts');
    if (namesakes.length > 0) cautions.push('same-name');
    if (neighbours.some((other) => isSlipAway(hostOf(person), hostOf(other)))) cautions.push('similar-address');
    return cautions;
  };
}

/** Scripts whose letters pass for one another; those of East Asia are written together with Latin ones as a matter of course. */
const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

function mixesScripts(name: string): boolean {
  return name.split(/[^\p{L}\p{M}]+/u).some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Letters of other scripts, and digits, that look like Latin small letters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'm',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ζ: 'z',
    ϲ: 'c',
    ı: 'i',
    ɑ: 'a',
    ɡ: 'g',
    ո: 'n',
    օ: 'o',
    ս: 'u',
    հ: 'h',
    ց: 'g',
    '0': 'o',
    '1': 'l',
    '|': 'l',
  }),
);

/** The text as it looks from afar: without case, accents, gaps, and the script that its letters are of. */
function lookOf(text: string): string {
  // Fast path for plain ASCII, which nearly all names are.
  if (/^[a-z ]*$/i.test(text)) return blurLetters(text.toLowerCase().replaceAll(' ', ''));
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}|]+/gu, '');
  return blurLetters([...letters].map((letter) => lookAlikes.get(letter) ?? letter).join(''));
}

/** Latin letters that look like others next to each other. */
function blurLetters(letters: string): string {
  return letters.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** How what stands before the `@` looks; empty when there is no address. */
function localOf(email: string): string {
  return lookOf(email.slice(0, Math.max(0, email.lastIndexOf('@'))));
}

/** Whether they are the same, or one letter more, less or other makes one of the other. Short names differ by one without being alike. */
function isSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long) return true;
  if (short.length < 8 || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}
