/** What the system or the database calls an error: `ENOENT`, `57P01`. Empty for an error without such a name. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether the system did not let us at this very file. */
export function isForbidden(error: unknown, path: string): boolean {
  return ['EACCES', 'EPERM'].includes(errorCodeOf(error)) && error instanceof Error && 'path' in error && error.path === path;
}
