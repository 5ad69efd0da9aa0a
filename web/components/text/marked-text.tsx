import type { TextRange } from '#contract/video-service/answers.ts';
import { cutLine, markText } from './mark-text.ts';

interface MarkedTextProps {
  text: string;
  ranges: readonly TextRange[];
  /** Whether a long line is cut around its first mark. */
  cut?: boolean;
  /** `strong` for names in the search box; everything else carries the highlighter. */
  by?: 'mark' | 'strong';
}

/** A text with its matches marked, by React elements only: what the footage says is never markup. */
export function MarkedText({ text, ranges, cut = false, by = 'mark' }: MarkedTextProps) {
  const parts = markText(text, ranges);
  const shown = cut ? cutLine(parts) : parts;
  const Mark = by === 'mark' ? 'mark' : 'b';
  return shown.map((part, index) => {
    const key = `${index}`;
    return part.marked ? <Mark key={key}>{part.text}</Mark> : <span key={key}>{part.text}</span>;
  });
}
