import { formatTimeCode } from '../time-code.ts';
import type { Deck } from './deck.ts';
import type { Tick } from './place-ticks.ts';
import { tileAt } from './storyboard-tiles.ts';

interface SeekPreviewProps {
  deck: Deck;
  share: number;
  tick: Tick | null;
  widthPx: number;
  durationInSeconds: number;
}

const box = { widthPx: 176, heightPx: 99 };
const deckMarginPx = 16;

/** The still under the pointer, with its time and, on a tick, the text that was found there. */
export function SeekPreview({ deck, share, tick, widthPx, durationInSeconds }: SeekPreviewProps) {
  const seconds = tick?.found.startInSeconds ?? share * durationInSeconds;
  const half = box.widthPx / 2;
  const leftPx = Math.min(Math.max(half - deckMarginPx, share * widthPx), widthPx - half + deckMarginPx);
  return (
    <div className={tick ? 'pv on-tick' : 'pv'} style={{ left: leftPx }} aria-hidden="true">
      {deck.storyboard && <div style={{ backgroundImage: `url(${deck.storyboardPicture})`, ...tileAt(deck.storyboard, seconds, box) }} />}
      <p>
        <span className="tc">{formatTimeCode(seconds)}</span>
        {tick && <span className="e">{tick.found.text}</span>}
      </p>
    </div>
  );
}
