import { type PointerEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { mergeTicks, type Tick } from '../merge-ticks.ts';
import type { FoundMoment } from './found-moment.ts';
import type { FoundVideo } from './found-video.ts';

interface MatchStripProps {
  video: FoundVideo;
  query: string;
  hot: FoundMoment | null;
  onHot: (moment: FoundMoment | null) => void;
}

/** Width of the strip in the picture; a phone's is nearly the same, so ticks are merged for this one. */
const widthPx = 368;
const snapPx = 12;

/** All moments along the film. A pointer snaps to the nearest tick; by keyboard the rows beside give the same. */
export function MatchStrip({ video, query, hot, onHot }: MatchStripProps) {
  const navigate = useNavigate();
  const [canOpen, setCanOpen] = useState(false);
  const { durationInSeconds, moments, momentsTotal } = video;
  const ticks = mergeTicks(
    moments.map((moment) => moment.seconds),
    { durationInSeconds, widthPx },
  );
  const snap = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const tick = nearestTick(ticks, { atPx: event.clientX - left, stripPx: width });
    setCanOpen(tick !== undefined);
    onHot(moments.find((moment) => moment.seconds === tick?.seconds) ?? null);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: every moment is a link beside the strip
    <div
      className="strip"
      role="img"
      aria-label={`${momentsTotal} ${momentsTotal === 1 ? 'moment' : 'moments'} along the video`}
      onPointerMove={snap}
      onPointerLeave={() => onHot(null)}
      onClick={() => canOpen && hot && navigate(paths.video(video.id, { seconds: hot.seconds, query }))}
    >
      {ticks.map((tick) => (
        <i
          key={tick.seconds}
          className={isHot(tick, hot, ticks) ? 'strip-hot' : undefined}
          style={{ left: `clamp(2px, ${tick.fraction * 100}%, calc(100% - 2px))` }}
        />
      ))}
    </div>
  );
}

function nearestTick(ticks: readonly Tick[], { atPx, stripPx }: { atPx: number; stripPx: number }): Tick | undefined {
  const distance = (tick: Tick) => Math.abs(tick.fraction * stripPx - atPx);
  const nearest = ticks.toSorted((one, other) => distance(one) - distance(other))[0];
  return nearest && distance(nearest) <= snapPx ? nearest : undefined;
}

/** A moment whose tick was merged into an earlier one makes that one grow. */
function isHot(tick: Tick, hot: FoundMoment | null, ticks: readonly Tick[]): boolean {
  if (!hot) return false;
  return tick === ticks.findLast((other) => other.seconds <= hot.seconds);
}
