/** What an error says in words, whatever it was that was thrown. */
export function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
