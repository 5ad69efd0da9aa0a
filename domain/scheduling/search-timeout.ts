/** The time that a search may take is over, or that of one of its questions. What it found until then may still be of use. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';

  constructor(cause?: unknown) {
    super('The search took too long.', { cause });
  }
}
