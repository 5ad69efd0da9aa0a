/** Words of a passage at most: three to five lines, 15 seconds of speech, and less than the encoder looks at. */
const wordsMax = 45;

/** A stretch of the spoken lines of a film: the first of them, and the one behind the last. */
export interface FilmPassage {
  readonly from: number;
  readonly to: number;
}

/** The passages of a film whose meaning is looked for: its spoken lines in order, none of them twice. A longer line is a passage by itself. */
export function spokenPassagesOf(lines: readonly string[]): FilmPassage[] {
  const passages: FilmPassage[] = [];
  let [from, words] = [0, 0];
  for (const [n, line] of lines.entries()) {
    const more = countWords(line);
    if (n > from && words + more > wordsMax) {
      passages.push({ from, to: n });
      [from, words] = [n, 0];
    }
    words += more;
  }
  return lines.length > from ? [...passages, { from, to: lines.length }] : passages;
}

function countWords(line: string): number {
  return line.split(/\s+/u).length;
}
