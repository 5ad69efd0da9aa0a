import { type PointerEvent, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { formatShortTime, formatTimeCode, spellTime } from '#web/components/text/time-code.ts';
import { useStore } from '#web/ui/store.ts';
import { useWidth } from '#web/ui/use-width.ts';
import { aimAt } from './aim-at.ts';
import type { Deck } from './deck.ts';
import { drawSpeech, listStripSeconds, nearestTickIn, placeShots, placeTicks, smallFrameAt, type Tick, tileAt } from './film-strip.ts';

interface Pointed {
  readonly share: number;
  readonly tick: Tick | null;
}

/** The film strip with its ticks, playhead and ruler. A pointer near a tick means the tick's second. */
export function Timeline({ deck }: { deck: Deck }) {
  const { currentTime, durationInSeconds } = useStore(deck.playback);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [ref, widthPx] = useWidth<HTMLElement>();
  const ticks = placeTicks(deck.found, { durationInSeconds, widthPx });
  const share = durationInSeconds > 0 ? Math.min(1, currentTime / durationInSeconds) : 0;

  const pointAt = (event: PointerEvent<HTMLElement>): Pointed => {
    const box = event.currentTarget.getBoundingClientRect();
    const along = Math.min(Math.max(0, (event.clientX - box.left) / box.width), 1);
    const tick = nearestTickIn(ticks, { share: along, widthPx: box.width });
    return { share: tick?.share ?? along, tick };
  };
  const seekTo = (event: PointerEvent<HTMLElement>) => {
    if (durationInSeconds === 0) return;
    const { share: along, tick } = pointAt(event);
    deck.playback.seek(tick ? aimAt(tick.found.startInSeconds) : along * durationInSeconds);
  };
  return (
    <div
      className="tl"
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label="Position"
      aria-valuemin={0}
      aria-valuemax={Math.floor(durationInSeconds)}
      aria-valuenow={Math.floor(currentTime)}
      aria-valuetext={`${spellTime(currentTime)} of ${spellTime(durationInSeconds)}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        setPointed(pointAt(event));
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onPointerLeave={() => setPointed(null)}
    >
      {ticks.map((tick) => (
        <span
          key={tick.found.id}
          className={tick === pointed?.tick || tick.share === pointed?.tick?.share ? 'tk hot' : 'tk'}
          style={{ left: `${tick.share * 100}%` }}
        />
      ))}
      <svg className="speech" aria-hidden="true">
        <path d={drawSpeech(deck.speech, { durationInSeconds, widthPx })} />
      </svg>
      <FilmStrip deck={deck} widthPx={widthPx} playedShare={share} />
      {placeShots(deck.shots, { durationInSeconds, widthPx }).map((shot) => (
        <span key={shot} className="shot" style={{ left: `${shot * 100}%` }} />
      ))}
      <Range deck={deck} />
      <span className="head-now" style={{ left: `${share * 100}%` }} />
      {pointed && durationInSeconds > 0 && <SeekPreview deck={deck} {...pointed} {...{ widthPx, durationInSeconds }} />}
      <Ruler durationInSeconds={durationInSeconds} />
    </div>
  );
}

/** A bracket around what somebody asks for. */
function Range({ deck: { range, playback } }: { deck: Deck }) {
  const { durationInSeconds } = useStore(playback);
  const [from, until] = range;
  if (from === undefined || until === undefined || durationInSeconds === 0) return null;
  const percent = (seconds: number) => `${Math.min(1, seconds / durationInSeconds) * 100}%`;
  return <span className="range" style={{ left: percent(from), right: `calc(100% - ${percent(until)})` }} />;
}

const rulerLabels = 7;

function Ruler({ durationInSeconds }: { durationInSeconds: number }) {
  return (
    <div className="ruler" aria-hidden="true">
      {Array.from({ length: durationInSeconds > 0 ? rulerLabels : 0 }, (_, index) => index / (rulerLabels - 1)).map((share) => (
        <span key={share} className="tc">
          {formatShortTime(share * durationInSeconds)}
        </span>
      ))}
    </div>
  );
}

const stripHeightPx = 44;

/** Stills of the film side by side; what has been played stands in full colour. */
function FilmStrip({ deck, widthPx, playedShare }: { deck: Deck; widthPx: number; playedShare: number }) {
  const { durationInSeconds } = useStore(deck.playback);
  const { storyboard, storyboardPicture } = deck;
  if (!storyboard || widthPx === 0 || durationInSeconds === 0) return <div className="film" />;
  const seconds = listStripSeconds(storyboard, { widthPx, heightPx: stripHeightPx }, durationInSeconds);
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
function SeekPreview({ deck, share, tick, widthPx, durationInSeconds }: SeekPreviewProps) {
  const seconds = tick?.found.startInSeconds ?? share * durationInSeconds;
  const half = box.widthPx / 2;
  const leftPx = Math.min(Math.max(half - deckMarginPx, share * widthPx), widthPx - half + deckMarginPx);
  return (
    <div className={tick ? 'pv on-tick' : 'pv'} style={{ left: leftPx }} aria-hidden="true">
      {deck.storyboard && (
        <div style={{ backgroundImage: `url(${deck.storyboardPicture})`, ...tileAt(deck.storyboard, seconds, box) }}>
          {deck.storyboard.intervalSeconds > limits.frameIntervalSeconds && (
            <SmallFrame address={deck.frame(smallFrameAt(seconds, durationInSeconds))} />
          )}
        </div>
      )}
      <p>
        <span className="tc">{formatTimeCode(seconds)}</span>
        {tick && <span className="e">{tick.found.text}</span>}
      </p>
    </div>
  );
}

const pointerRestsMs = 120;

/** The frame of a second, over the still of a long film that may be minutes away from it; asked for once the pointer rests. */
function SmallFrame({ address }: { address: string }) {
  const askLater = (image: HTMLImageElement | null) => {
    const asking = window.setTimeout(() => {
      if (image && image.src === '') image.src = address;
    }, pointerRestsMs);
    return () => window.clearTimeout(asking);
  };
  return <img key={address} ref={askLater} alt="" hidden onLoad={({ currentTarget }) => currentTarget.toggleAttribute('hidden', false)} />;
}
