/** Of every word of some sets (`sight/site cue/queue`) the others of its sets. */
export function othersInSets(sets: string): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, string[]>();
  for (const set of sets.split(' ')) {
    const words = set.split('/');
    for (const word of words) others.set(word, [...(others.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return others;
}
