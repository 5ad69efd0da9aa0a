/*
 * BM25 as Lucene and LanceDB have it (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).
 */

/** How soon a word's repetition stops to count, and how much the length of a row does. */
const [saturation, lengthShare] = [1.2, 0.75];

/** Above what one word in a row can come to before it is weighed. */
export const shareMax = saturation + 1;

/** How much a word weighs that `holding` of so many rows hold. */
export function weightOfWord(rows: number, holding: number): number {
  return Math.log(1 + Math.max(0.5, rows - holding + 0.5) / (holding + 0.5));
}

/** What the length of a row takes from its words, by that length in words and the mean of all. */
export function lengthLossOf(length: number, meanLength: number): number {
  return saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
}

/** What a word comes to that stands so often in a row, before it is weighed: more than 0 and less than `shareMax`. */
export function shareOfTimes(times: number, loss: number): number {
  return (times * shareMax) / (times + loss);
}
