import type { PageSettings } from '#contract/archive.ts';

type Held = PageSettings['holds'];

const words = ['said', 'written', 'seen'];
const aWord = `(?:${words.join('|')})`;
const run = new RegExp(`\\b${aWord}(?:(?:,\\s*|,?\\s+(?:and|or)\\s+)${aWord})*\\b`, 'giu');

/** The archive's own words, in which `said, written and seen` names only what can be found in it; every archive holds what is named. */
export function narrowToHeld(text: string, held: Held): string {
  return text.replace(run, (found) => {
    const kept =
      found
        .toLowerCase()
        .match(new RegExp(aWord, 'gu'))
        ?.filter((word) => isHeld(word, held)) ?? [];
    const [, join = 'and'] = /\s(and|or)\s/iu.exec(found) ?? [];
    if (kept.length === 0) return 'named';
    return [kept.slice(0, -1).join(', '), kept.at(-1)].filter(Boolean).join(` ${join} `);
  });
}

function isHeld(word: string, held: Held): boolean {
  if (word === 'seen') return held.includes('people') || held.includes('labels');
  return held.some((one) => one === word);
}

/** What is found to the second in this archive, in a sentence. */
export function describeMoments(held: Held): string {
  const things = [
    ...(held.includes('said') ? ['every spoken line'] : []),
    ...(held.includes('written') ? ['every sign on a wall'] : []),
    ...(held.includes('people') ? ['every face'] : held.includes('labels') ? ['every recognised thing'] : []),
  ];
  const [first = 'every title'] = things;
  const all = [`E${first.slice(1)}`, ...things.slice(1)].join(', ');
  return `${all} in this archive, found ${things.length > 0 ? 'to the second' : 'by its words'}.`;
}

interface HeroPart {
  text: string;
  marked: boolean;
  startsLine: boolean;
}

/** Cuts the archive's line at its marked words, listed as in `said, written and seen`; the first of them starts the second line. */
export function markHeroLine(line: string, marked: string): HeroPart[] {
  const markedWords = new Set(
    marked
      .toLowerCase()
      .split(/,|\sand\s/)
      .map((word) => word.trim()),
  );
  const parts: HeroPart[] = [];
  let hasMarker = false;
  for (const text of line.split(/([\p{L}\p{N}'’-]+)/u)) {
    const isMarked = markedWords.has(text.toLowerCase());
    const last = parts.at(-1);
    if (last && !isMarked && !last.marked) last.text += text;
    else if (text !== '') parts.push({ text, marked: isMarked, startsLine: isMarked && !hasMarker && parts.length > 0 });
    hasMarker ||= isMarked;
  }
  return parts.map((part, index) =>
    parts[index + 1]?.marked && index > 0 && !part.marked ? { ...part, text: keepWithNext(part.text) } : part,
  );
}

/** A short word before a marked one stays on its line: `and seen` is not torn apart. */
function keepWithNext(text: string): string {
  return text.replace(/(\s\p{L}{1,3})\s$/u, '$1\u00a0');
}
