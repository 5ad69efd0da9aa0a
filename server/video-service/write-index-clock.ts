/** Writes a time as the service does in the index of a video: `h:mm:ss` and up to seven decimals, the hour not padded, trailing zeros dropped. */
export function writeIndexClock(ms: number): string {
  const totalMs = Math.max(0, Math.round(ms));
  const [hours, minutes, seconds] = [totalMs / 3_600_000, (totalMs / 60_000) % 60, (totalMs / 1_000) % 60].map(Math.floor);
  const fraction = String(totalMs % 1_000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${hours}:${String(minutes).padStart(2, '0')}:${String(seconds).padStart(2, '0')}${fraction && `.${fraction}`}`;
}
