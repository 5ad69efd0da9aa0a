/** Letters by the sound they stand for; those left out are vowels, or silent as often as not. */
const sounds: Record<string, string> = {
  b: 'p',
  p: 'p',
  d: 't',
  t: 't',
  f: 'f',
  v: 'f',
  g: 'k',
  k: 'k',
  q: 'k',
  c: 'k',
  x: 'k',
  s: 's',
  z: 's',
  l: 'l',
  m: 'm',
  n: 'n',
  r: 'r',
};

/** A key that words have in common when they sound much alike: their consonants by kind, runs of one kind once. */
export function soundKey(word: string): string {
  let key = /^[aeiouhyjw]/.test(word) ? 'a' : '';
  for (let at = 0; at < word.length; at++) {
    const sound = soundAt(word, at);
    if (sound !== undefined && !key.endsWith(sound)) key += sound;
  }
  return key;
}

function soundAt(word: string, at: number): string | undefined {
  const letter = word.charAt(at);
  const next = word.charAt(at + 1);
  if (letter === 'p' && next === 'h') return 'f';
  // Czech, cell, city; but call, back.
  if (letter === 'c' && (next === 'e' || next === 'i' || next === 'y' || next === 'z')) return 's';
  // Knight, gnome.
  if ((letter === 'k' || letter === 'g') && next === 'n' && at === 0) return undefined;
  return sounds[letter];
}
