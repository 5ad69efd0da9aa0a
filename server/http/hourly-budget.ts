import type { CountedNetwork } from '#domain/networks/counted-networks.ts';

const anHourMs = 3_600_000;
/** What is remembered of everybody together: about a hundred megabytes at most. */
const thingsMax = 1_000_000;

/** What somebody would see of one video: things by their numbers, all of them or none. */
interface AskedOf {
  readonly networks: readonly CountedNetwork[];
  readonly videoId: string;
  readonly things: readonly number[];
}

/** Whether these things of a video may be shown to these networks now. What was shown within the hour is free. */
export type HourlyBudget = (asked: AskedOf) => boolean;

interface Hour {
  readonly until: number;
  readonly things: Set<number>;
}

/**
 * Different things of one video that one network sees within an hour, at most `perHour`: who searches sees what was found; who asks
 * for one word after another does not put the film together.
 */
export function hourlyBudget(perHour: number, now: () => number = Date.now): HourlyBudget {
  const hours = new Map<string, Hour>();
  let remembered = 0;
  const forget = (key: string, { things }: Hour) => {
    hours.delete(key);
    remembered -= things.size;
  };
  return ({ networks, videoId, things }) => {
    const at = now();
    // Those that began first stand first, and end first.
    for (const [key, hour] of hours) {
      if (hour.until > at && remembered <= thingsMax) break;
      forget(key, hour);
    }
    const asked = networks.map(({ name, shares }) => {
      const key = `${name} ${videoId}`;
      const hour = hours.get(key) ?? { until: at + anHourMs, things: new Set<number>() };
      const fresh = things.filter((thing) => !hour.things.has(thing));
      return { key, hour, fresh, isWithin: fresh.length === 0 || hour.things.size + fresh.length <= perHour * shares };
    });
    if (!asked.every(({ isWithin }) => isWithin)) return false;
    for (const { key, hour, fresh } of asked) {
      for (const thing of fresh) hour.things.add(thing);
      remembered += fresh.length;
      hours.set(key, hour);
    }
    return true;
  };
}
