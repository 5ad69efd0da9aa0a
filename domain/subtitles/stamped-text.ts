import { type TimedPiece, wordStartsByPieces } from '../moments/word-starts.ts';
import { cleanCueText } from './cue.ts';

/**
 * A cue's text out of pieces that are sung or said at times of their own, and when each word begins if any time tells more than the
 * cue. Where the text is `written` apart from them, pieces that are not its letters tell nothing.
 */
export function joinTimedPieces(
  pieces: readonly TimedPiece[],
  { startMs, endMs }: { startMs: number; endMs: number },
  written = pieces.map((piece) => piece.text).join(''),
): { text: string; wordStartsMs?: number[] } {
  const text = cleanCueText(written);
  const isSound = pieces.every(
    (piece, n) => piece.startMs >= (pieces[n - 1]?.startMs ?? startMs) && piece.startMs <= endMs && Number.isSafeInteger(piece.startMs),
  );
  if (!isSound || pieces.every((piece) => piece.startMs === startMs)) return { text };
  const wordStartsMs = wordStartsByPieces(text, pieces);
  return wordStartsMs ? { text, wordStartsMs } : { text };
}
