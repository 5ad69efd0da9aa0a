export interface HeroPart {
  text: string;
  marked: boolean;
  startsLine: boolean;
}

/** Cuts the archive's line at its marked words, listed as in `said, written and seen`; the first of them starts the second line. */
export function markHeroLine(line: string, marked: string): HeroPart[] {
  const words = new Set(
    marked
      .toLowerCase()
      .split(/,|\sand\s/)
      .map((word) => word.trim()),
  );
  const parts: HeroPart[] = [];
  let hasMarker = false;
  for (const text of line.split(/([\p{L}\p{N}'’-]+)/u)) {
    const isMarked = words.has(text.toLowerCase());
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
