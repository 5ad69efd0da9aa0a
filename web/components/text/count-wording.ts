const roundFrom = 1_000;

/**
 * A count as it is shown: exact, or with a plus when not everything was counted; from 1,000 on that is `1,000+`. Nothing where nothing was
 * counted so far.
 */
export function formatCount(count: number, isAll: boolean): string {
  if (count === 0 && !isAll) return '';
  if (isAll) return count.toLocaleString('en');
  return `${Math.min(count, roundFrom).toLocaleString('en')}+`;
}

/** `1 video`, `1,200 videos`. */
export function nameCount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
