import { limits } from '#contract/limits.ts';
import type { ActivityEntry } from '#contract/users.ts';

const roles: Readonly<Record<string, string>> = { viewer: 'Watch', editor: 'Edit Videos', admin: 'Admin' };

/** What somebody did, to be read between who did it and to whom. */
export function activityWords({ action, detail }: Pick<ActivityEntry, 'action' | 'detail'>): string {
  switch (action) {
    case 'signed-up':
      return 'signed up';
    case 'role-granted':
      return `gave ${roles[detail] ?? detail} to`;
    case 'role-removed':
      return `removed ${roles[detail] ?? detail} from`;
    case 'user-deleted':
      return 'deleted';
    case 'account-deleted':
      return 'deleted their own account';
    case 'name-changed':
      return 'changed their name to';
    case 'email-changed':
      return 'changed their e-mail to';
    case 'title-changed':
      return `gave the title “${detail}” to`;
    case 'correction-undone':
      return `took “${detail}” back from`;
  }
}

/** Whether it was done to somebody: what people do to themselves names nobody else. */
export function hasObject({ actor, subject, action }: Pick<ActivityEntry, 'actor' | 'subject' | 'action'>): boolean {
  return subject !== null && actor?.uid !== subject.uid && action !== 'signed-up';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Age {
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
