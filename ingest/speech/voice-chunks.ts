import type { Stretch } from '../engines/silero-voice.ts';

/** Voices are heard a little before they are told from noise, and after. */
const marginMs = 200;

/**
 * Stretches of speech as chunks of at most `longestMs`, each with as many stretches as it takes, so that they are cut in silence; who speaks
 * for longer without a breath is cut where it must be. None reaches beyond `endMs`, and none into another.
 */
export function voiceChunks(stretches: readonly Stretch[], { longestMs, endMs }: { longestMs: number; endMs: number }): Stretch[] {
  const chunks: Stretch[] = [];
  for (const [start, end] of stretches.flatMap((stretch) => cut(stretch, longestMs - 2 * marginMs))) {
    const before = chunks.at(-1);
    const to = Math.min(endMs, end + marginMs);
    if (before && to - before[0] <= longestMs) {
      chunks[chunks.length - 1] = [before[0], to];
      continue;
    }
    // Half of the silence between two belongs to each.
    const from = Math.max(0, start - marginMs, before ? Math.min(start, Math.round((before[1] - marginMs + start) / 2)) : 0);
    if (before && before[1] > from) chunks[chunks.length - 1] = [before[0], from];
    chunks.push([from, to]);
  }
  return chunks;
}

function cut([start, end]: Stretch, longestMs: number): Stretch[] {
  const parts = Math.max(1, Math.ceil((end - start) / longestMs));
  const at = (n: number) => Math.round(start + ((end - start) * n) / parts);
  return Array.from({ length: parts }, (_, n): Stretch => [at(n), at(n + 1)]);
}
