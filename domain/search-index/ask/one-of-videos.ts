/** A condition of the index: a row of one of these videos. */
export function oneOfVideos(ids: readonly string[]): string {
  // Whatever is no id of ours never gets into the condition.
  const known = ids.filter((id) => /^[0-9a-f]{10}$/.test(id));
  return known.length > 0 ? `video in (${known.map((id) => `'${id}'`).join(', ')})` : 'false';
}
