import { createContext, useState } from 'react';

/** Keeps the lists of users as they are until `release` is called. */
export type Hold = () => () => void;

export const HoldContext = createContext<Hold>(() => () => {});

/** While something is being changed, lists do not move under the hand; every hold has to be released once. */
export function useHold(): { isHeld: boolean; hold: Hold } {
  const [holds, setHolds] = useState(0);
  const hold = () => {
    setHolds((count) => count + 1);
    return () => setHolds((count) => count - 1);
  };
  return { isHeld: holds > 0, hold };
}
