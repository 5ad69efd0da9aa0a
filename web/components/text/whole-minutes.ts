/** A length in whole minutes, rounded to the nearest; a film shorter than that is one minute, not none. */
export function wholeMinutes(durationInSeconds: number): string {
  if (durationInSeconds <= 0) return '0 min';
  return `${Math.max(1, Math.round(durationInSeconds / 60)).toLocaleString('en')} min`;
}
