/**
 * A video's name as people read it: item codes in square brackets at its end are not shown, years and other words are.
 * A code is one unbroken piece with a digit in it, so `[AB-1234]` goes and `[director's cut]` stays.
 */
export function toDisplayName(name: string): string {
  let shown = name.trimEnd();
  for (let rest = withoutLastCode(shown); rest !== null; rest = withoutLastCode(shown)) shown = rest;
  return shown;
}

function withoutLastCode(name: string): string | null {
  if (!name.endsWith(']')) return null;
  const open = name.lastIndexOf('[');
  const code = name.slice(open + 1, -1);
  if (open === -1 || !/^[\p{L}\p{N}._/-]+$/u.test(code) || !/\p{N}/u.test(code)) return null;
  const rest = name.slice(0, open).trimEnd();
  // A name that is nothing but its code is better than no name.
  return rest === '' ? null : rest;
}
