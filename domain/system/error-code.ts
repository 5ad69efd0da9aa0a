/** What the system or the database calls an error: `ENOENT`, `57P01`. Empty for an error without such a name. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
