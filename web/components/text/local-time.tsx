import type { ReactNode } from 'react';

interface LocalTimeProps {
  /** An instant in ISO 8601. */
  at: string;
  /** `2026-11-19 08:40`, or `19 Nov 2026`. */
  show?: 'minute' | 'date';
  /** The instant in other words, as `2 hours ago`. */
  children?: ReactNode;
}

/** An instant as the clock of whoever looks at it shows it; the tooltip says it in UTC. */
export function LocalTime({ at, show = 'minute', children }: LocalTimeProps) {
  const instant = new Date(at);
  const isCode = show === 'minute' && children === undefined;
  return (
    <time className={isCode ? 'tc' : undefined} dateTime={instant.toISOString()} title={toUtcTime(instant)}>
      {children ?? (show === 'date' ? toLocalDate(instant) : toLocalTime(instant))}
    </time>
  );
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short' });

/** `19 Nov 2026` in the time zone of this device. */
function toLocalDate(instant: Date): string {
  return `${instant.getDate()} ${months.format(instant)} ${instant.getFullYear()}`;
}

/** `2026-11-19 08:40` in the time zone of this device. */
function toLocalTime(instant: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [instant.getFullYear(), two(instant.getMonth() + 1), two(instant.getDate())].join('-');
  return `${day} ${two(instant.getHours())}:${two(instant.getMinutes())}`;
}

/** `2026-11-19 07:40:12 UTC`. */
function toUtcTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
