// One sign before the @ says as much as all of them, and is found without going back.
const emailLike = /[^\s@<>()[\],;:"]@[^\s@<>()[\],;:"]+\.[a-z]{2,}/iu;

// Direction overrides and zero-width marks make a name read as another one; the rest are controls that PostgreSQL or a terminal chokes on.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

/** Text from outside as it is kept: one line, no controls, no lone surrogates, at most `maxCodePoints` long. */
export function cleanText(text: string, maxCodePoints: number): string {
  const line = text.toWellFormed().replace(unseen, ' ').replace(/\s+/gu, ' ').trim();
  if (line.length <= maxCodePoints) return line;
  // Enough to tell whether it is too long, and all that is kept of it.
  const points = [...line.slice(0, 2 * maxCodePoints + 1)];
  return points.length <= maxCodePoints
    ? line
    : `${points
        .slice(0, maxCodePoints - 1)
        .join('')
        .trimEnd()}…`;
}

/** Whether a text holds what looks like somebody's e-mail address; the archive keeps none. */
export function holdsEmailAddress(text: string): boolean {
  return emailLike.test(withoutHeapsOfMarks(text).normalize('NFKC'));
}

/** A remark where fields held what looks like an e-mail address and are left out for that; none where none did. */
export function remarkAddressesRemoved(fields: readonly string[]): string[] {
  return fields.length > 0 ? [`removed what looked like an e-mail address from ${fields.join(', ')}`] : [];
}

/**
 * A text with no more than eight marks on any letter, as no language has more: to put marks in order for a normal form takes time by the
 * square of their number, and a text from outside may be one letter with a million.
 */
export function withoutHeapsOfMarks(text: string): string {
  return text.replace(/(\p{M}{8})\p{M}+/gu, '$1');
}
