import { useEffect, useState } from 'react';

/** The value as it was when it last stood still for `waitMs`; an empty text counts at once. */
export function useDebounced(value: string, waitMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return value === '' ? '' : settled;
}
