/** Writes a date as the service does: with an offset. */
export function writeServiceDate(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}
