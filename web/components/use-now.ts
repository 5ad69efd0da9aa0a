import { useState, useSyncExternalStore } from 'react';

/** The time of now in milliseconds, kept up to date every so often. */
export function useNow(everyMs: number): number {
  const [clock] = useState(() => openClock(everyMs));
  return useSyncExternalStore(clock.subscribe, clock.read);
}

function openClock(everyMs: number) {
  let now = Date.now();
  return {
    read: () => now,
    subscribe: (changed: () => void) => {
      const tick = () => {
        now = Date.now();
        changed();
      };
      const timer = setInterval(tick, everyMs);
      return () => clearInterval(timer);
    },
  };
}
