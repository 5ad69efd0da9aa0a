/** Writes a time as the service does in what a search found: `hh:mm:ss`, with seven decimals when it is not a whole second; days before the hours beyond one day. */
export function writeSearchClock(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, '0');
  const days = Math.floor(whole / 86_400);
  const time = `${two(Math.floor(whole / 3_600) % 24)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const rest = Math.round(ms - whole * 1_000);
  return `${days > 0 ? `${days}.` : ''}${time}${rest > 0 ? `.${String(rest).padStart(3, '0')}0000` : ''}`;
}
