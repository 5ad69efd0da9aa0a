/** Endings that English words trade for one another; the empty one is the bare word. */
const endings = [
  '',
  's',
  'es',
  'ed',
  'd',
  'ing',
  'er',
  'ers',
  'or',
  'ly',
  'al',
  'ment',
  'ion',
  'ions',
  'ation',
  'ations',
  'ity',
  'y',
  'ies',
  'ied',
  'ier',
  'iest',
  'e',
];
const stripped = [
  'iest',
  'ies',
  'ied',
  'ier',
  'ations',
  'ation',
  'ions',
  'ion',
  'ing',
  'ers',
  'er',
  'es',
  'ed',
  'ly',
  'ment',
  's',
  'd',
  'e',
  'y',
  '',
];
const stemLengthMin = 4;

/** Other forms that `word` may have; most of them are no words, so ask the vocabulary. */
export function inflectionsOf(word: string): Set<string> {
  const forms = new Set<string>();
  if (/\d/.test(word) || word.length < 3) return forms;
  if (word.length < stemLengthMin) forms.add(`${word}s`);
  for (const ending of stripped) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, word.length - ending.length);
    if (stem.length >= stemLengthMin || (stem.length === 3 && shortEndings.has(ending))) addForms(forms, stem, ending);
  }
  forms.delete(word);
  return forms;
}

const shortEndings = new Set(['', 's', 'ed', 'ing', 'es', 'e']);

function addForms(forms: Set<string>, stem: string, ending: string): void {
  const kept = stem.length > 3 ? endings : ['', 's', 'es', 'ed', 'd', 'ing', 'e'];
  for (const other of kept) forms.add(stem + other);
  const [last, beforeLast] = [stem.at(-1), stem.at(-2)];
  // stop, stopped, stopping
  if (last && /[bdgmnprt]/.test(last)) {
    if (last === beforeLast && ending !== '') for (const other of ['', 's']) forms.add(stem.slice(0, -1) + other);
    else if (ending === '' || ending === 's') for (const other of ['ed', 'ing', 'er']) forms.add(stem + last + other);
  }
}
