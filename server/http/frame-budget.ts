const anHourMs = 3_600_000;
const filmsMax = 100_000;

/** Whether this network may open this frame of this video now. */
export type FrameBudget = (asked: { network: string; videoId: string; frame: number }) => boolean;

/**
 * Different frames of one video that one network opens within an hour, at most `framesPerHour`: who searches sees the seconds
 * that were found; who asks for one word after another does not put the film together.
 */
export function frameBudget(framesPerHour: number, now: () => number = Date.now): FrameBudget {
  const opened = new Map<string, { until: number; frames: Set<number> }>();
  return ({ network, videoId, frame }) => {
    const key = `${network} ${videoId}`;
    const known = opened.get(key);
    const hour = known && known.until > now() ? known : { until: now() + anHourMs, frames: new Set<number>() };
    if (!hour.frames.has(frame) && hour.frames.size >= framesPerHour) return false;
    hour.frames.add(frame);
    if (!known && opened.size >= filmsMax) opened.delete(opened.keys().next().value ?? '');
    opened.set(key, hour);
    return true;
  };
}
