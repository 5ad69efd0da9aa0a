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
export function toSoundKey(word: string): string {
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
  // Tchaikovsky.
  if (letter === 't' && next === 'c' && at === 0 && word.charAt(2) === 'h') return undefined;
  // Knight, gnome.
  if ((letter === 'k' || letter === 'g') && next === 'n' && at === 0) return undefined;
  // Light; but ghost.
  if (letter === 'g' && next === 'h' && at > 0) return undefined;
  // Kowalewski.
  if (letter === 'w' && next === 's' && word.charAt(at + 2) === 'k') return 'f';
  return sounds[letter];
}

/** Vowels by the sound that a run of them most often has. */
const vowels: Record<string, string> = { a: 'a', e: 'e', i: 'e', y: 'e', o: 'o', u: 'u' };

/** A closer key than `toSoundKey`: words have it in common when they are said much the same, as Kale and Kahle are. */
export function toSpokenForm(word: string): string {
  return word
    .replace(/^tch/, 'ch')
    .replace(/^[kg]n/, 'n')
    .replace(/^wr/, 'r')
    .replace(/(?!^)gh/g, '')
    .replace(/ph|v|w(?=sk)/g, 'f')
    .replace(/qu/g, 'kw')
    .replace(/gu(?=[aei])/g, 'g')
    .replace(/c(?=[eiyz])|z/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/(?!^)h/g, '')
    .replace(/a[iy]/g, 'e')
    .replace(/[aeiouy]+/g, (run) => vowels[run.charAt(0)] ?? '')
    .replace(/(.)\1+/g, '$1');
}
