/** A length in whole minutes, rounded to the nearest; a film shorter than that, or of unknown length, is one minute, not none. */
export function formatWholeMinutes(durationInSeconds: number): string {
  return `${Math.max(1, Math.round(durationInSeconds / 60)).toLocaleString('en')} min`;
}
