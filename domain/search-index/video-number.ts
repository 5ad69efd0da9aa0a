/** An id is ten hexadecimal digits, which fit into a number. */
const idLength = 10;

/** The number that the id of a video is. */
export function toVideoNumber(id: string): number {
  return Number.parseInt(id, 16);
}

/** The id of such a number. */
export function videoOfNumber(number: number): string {
  return number.toString(16).padStart(idLength, '0');
}
