import { pageAt, pageRoutes, readReturnUrl } from '#contract/page-routes.ts';

const minuteMs = 60_000;

/** `02:41`: hours and minutes between two instants. */
export function formatWaitingTime(sinceMs: number, nowMs: number): { text: string; duration: string } {
  const minutes = Math.max(0, Math.floor((nowMs - sinceMs) / minuteMs));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return { text: `${toTwoDigits(hours)}:${toTwoDigits(rest)}`, duration: `PT${hours}H${rest}M` };
}

/** `09:12`, or `19 Nov 09:12` when it was not today. */
export function formatClockTime(instant: Date, today: Date): string {
  const time = `${toTwoDigits(instant.getHours())}:${toTwoDigits(instant.getMinutes())}`;
  return instant.toDateString() === today.toDateString() ? time : `${days.format(instant)} ${time}`;
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function toTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Where to go once the account is active: back to the page that was asked for, never to this one again. */
export function readPageAfterwards(parameters: URLSearchParams): string {
  const next = readReturnUrl(parameters);
  return pageAt(next) === 'activationPending' ? pageRoutes.home : next;
}
