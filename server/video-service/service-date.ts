/** A date as the service writes it: with an offset. */
export function serviceDate(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}
