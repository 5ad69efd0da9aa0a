import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { useWidth } from '#web/ui/use-width.ts';
import type { FoundMoment } from './found-moment.ts';
import type { Result } from './result.ts';

interface MatchStripProps {
  video: Result;
  query: string;
  hot: FoundMoment | null;
  onHot: (moment: FoundMoment | null) => void;
}

const snapPx = 12;

/** All moments along the film. A pointer snaps to the nearest tick; by keyboard the rows beside give the same. */
export function MatchStrip({ video, query, hot, onHot }: MatchStripProps) {
  const navigate = useNavigate();
  const [measure, widthPx] = useWidth<HTMLDivElement>();
  const { durationInSeconds, moments, momentsTotal } = video;
  const ticks = mergeTicks(
    moments.map((moment) => moment.seconds),
    { durationInSeconds, widthPx },
  );
  const momentAt = (event: MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const tick = nearestTickIn(ticks, { atPx: event.clientX - left, stripPx: width });
    return moments.find((moment) => moment.seconds === tick?.seconds) ?? null;
  };
  // A finger has not moved over the strip before it touches it. A click that opens is taken, so that others can tell.
  const open = (event: MouseEvent) => {
    const moment = momentAt(event);
    if (!moment) return;
    event.preventDefault();
    navigate(paths.video(video.id, { seconds: moment.seconds, query }));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: every moment is a link beside the strip
    <div
      ref={measure}
      className="strip"
      role="img"
      aria-label={`${momentsTotal} ${momentsTotal === 1 ? 'moment' : 'moments'} along the video`}
      onPointerMove={(event) => onHot(momentAt(event))}
      onPointerLeave={() => onHot(null)}
      onClick={open}
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

function nearestTickIn(ticks: readonly Tick[], { atPx, stripPx }: { atPx: number; stripPx: number }): Tick | undefined {
  const distance = (tick: Tick) => Math.abs(tick.fraction * stripPx - atPx);
  const nearest = ticks.toSorted((one, other) => distance(one) - distance(other))[0];
  return nearest && distance(nearest) <= snapPx ? nearest : undefined;
}

/** A moment whose tick was merged into an earlier one makes that one grow. */
function isHot(tick: Tick, hot: FoundMoment | null, ticks: readonly Tick[]): boolean {
  if (!hot) return false;
  return tick === ticks.findLast((other) => other.seconds <= hot.seconds);
}

interface Tick {
  /** Where on the strip, 0 to 1. */
  fraction: number;
  /** The first of the moments that share this tick. */
  seconds: number;
}

const nearestPx = 3;

/** One tick per moment along the film, in time order; ticks nearer than 3 px become one. */
export function mergeTicks(
  seconds: readonly number[],
  { durationInSeconds, widthPx }: { durationInSeconds: number; widthPx: number },
): Tick[] {
  if (durationInSeconds <= 0) return [];
  const ticks: Tick[] = [];
  for (const second of seconds.toSorted((one, other) => one - other)) {
    const fraction = Math.min(1, Math.max(0, second / durationInSeconds));
    const last = ticks.at(-1);
    if (last && (fraction - last.fraction) * widthPx < nearestPx) continue;
    ticks.push({ fraction, seconds: second });
  }
  return ticks;
}
