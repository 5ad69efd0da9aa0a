import { limits } from '#contract/limits.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export interface Age {
  /** `21 hours ago` */
  readonly words: string;
  /** How the promise of activation stands; null while there is time. */
  readonly urgency: 'due soon' | 'overdue' | null;
}

/** How long ago somebody signed up, and whether they wait too long. */
export function describeAge(ageMs: number): Age {
  const hours = ageMs / hourMs;
  const urgency = hours >= limits.activationPromiseHours ? 'overdue' : hours >= limits.activationDueSoonHours ? 'due soon' : null;
  return { words: ago(ageMs), urgency };
}

function ago(ageMs: number): string {
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${count(ageMs / minuteMs, 'minute')} ago`;
  if (ageMs < 2 * dayMs) return `${count(ageMs / hourMs, 'hour')} ago`;
  return `${count(ageMs / dayMs, 'day')} ago`;
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
