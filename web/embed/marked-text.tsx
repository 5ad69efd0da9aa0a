import { Fragment } from 'react';
import type { TextRange } from './find-moments.ts';

/** A text with the found stretches in `<mark>`. */
export function MarkedText({ text, ranges }: { text: string; ranges: readonly TextRange[] }) {
  const edges = [0, ...ranges.flat(), text.length];
  return edges.slice(0, -1).map((start, index) => {
    const piece = text.slice(start, edges[index + 1]);
    // Every second piece lies inside a range; a range is known by where it starts.
    return index % 2 === 1 ? <mark key={`found-${start}`}>{piece}</mark> : <Fragment key={`plain-${start}`}>{piece}</Fragment>;
  });
}
