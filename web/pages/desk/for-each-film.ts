/** What became of a change of several films. */
export interface ForEach<T> {
  readonly made: T[];
  /** A sentence for each that was not changed. */
  readonly failed: string[];
}

/** Does something with one after the other, as an editor would; what is refused holds up none of the others. */
export async function forEachFilm<T>(
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
  tell: (done: number) => void,
): Promise<ForEach<T>> {
  const made: T[] = [];
  const failed: string[] = [];
  for (const one of all) {
    try {
      await act(one);
      made.push(one);
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
    }
    tell(made.length + failed.length);
  }
  return { made, failed };
}

/** `1 film`, `1,200 films`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/** What of it to say when it is done: why something was not, if anything was not. */
export function outcomeOf({ failed }: Pick<ForEach<unknown>, 'failed'>): string {
  if (failed.length === 0) return '';
  return ` ${failed[0]}${failed.length > 1 ? ` And ${failed.length - 1} more.` : ''}`;
}
