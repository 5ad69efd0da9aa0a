const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `Recorded 20 July 1969`, or month and year, or the year alone: as far as it is known. `recorded` is `1969-07-20`, `1969-07` or `1969`. */
export function recordedDate(recorded: string | null): string | null {
  const [, year, month, day] = recorded?.match(/^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T|$)/) ?? [];
  if (!year) return null;
  const name = months[Number(month) - 1];
  return `Recorded ${[day && name && String(Number(day)), name, year].filter(Boolean).join(' ')}`;
}
