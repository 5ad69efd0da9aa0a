import { useStore } from '../use-store.ts';
import type { Deck } from './deck.ts';
import { stripSeconds, tileAt } from './storyboard-tiles.ts';

const stripHeightPx = 44;

/** Stills of the film side by side; what has been played stands in full colour. */
export function FilmStrip({ deck, widthPx, playedShare }: { deck: Deck; widthPx: number; playedShare: number }) {
  const { durationInSeconds } = useStore(deck.playback);
  const { storyboard, storyboardPicture } = deck;
  if (!storyboard || widthPx === 0 || durationInSeconds === 0) return <div className="film" />;
  const seconds = stripSeconds(storyboard, { widthPx, heightPx: stripHeightPx }, durationInSeconds);
  const cell = { widthPx: widthPx / seconds.length, heightPx: stripHeightPx };
  return (
    <div className="film">
      {seconds.map((second, index) => (
        <b
          key={second}
          className={(index + 1) / seconds.length <= playedShare ? 'played' : 'ahead'}
          style={{ backgroundImage: `url(${storyboardPicture})`, ...tileAt(storyboard, second, cell) }}
        />
      ))}
    </div>
  );
}
