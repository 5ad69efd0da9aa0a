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

/** British and American beginnings of words; what follows them is the same in both. */
const beginnings =
  'colour/color favour/favor flavour/flavor harbour/harbor honour/honor humour/humor labour/labor neighbour/neighbor odour/odor ' +
  'rumour/rumor savour/savor vapour/vapor vigour/vigor armour/armor behaviour/behavior endeavour/endeavor glamour/glamor parlour/parlor ' +
  'rigour/rigor tumour/tumor valour/valor splendour/splendor candour/candor clamour/clamor fervour/fervor saviour/savior ' +
  'centre/center centred/centered centring/centering theatre/theater metre/meter kilometre/kilometer centimetre/centimeter ' +
  'millimetre/millimeter litre/liter fibre/fiber calibre/caliber spectre/specter sombre/somber meagre/meager lustre/luster ' +
  'catalogue/catalog dialogue/dialog analogue/analog monologue/monolog prologue/prolog epilogue/epilog programme/program ' +
  'defence/defense offence/offense licence/license pretence/pretense practise/practice grey/gray tyre/tire plough/plow ' +
  'aluminium/aluminum aeroplane/airplane jewellery/jewelry kerb/curb mould/mold moustache/mustache pyjamas/pajamas sceptic/skeptic ' +
  'sulphur/sulfur whisky/whiskey draught/draft manoeuvre/maneuver paediatric/pediatric anaesthe/anesthe encyclopaedia/encyclopedia ' +
  'archaeolog/archeolog foetus/fetus foetal/fetal haemo/hemo oestrogen/estrogen orthopaed/orthoped leukaemia/leukemia diarrhoea/diarrhea ' +
  'mediaeval/medieval cosy/cozy maths/math ageing/aging judgement/judgment acknowledgement/acknowledgment marvellous/marvelous ' +
  'woollen/woolen enrol/enroll fulfil/fulfill skilful/skillful instalment/installment wilful/willful artefact/artifact doughnut/donut';

const pairs = beginnings.split(' ').map((pair) => pair.split('/'));

/** Endings that change by rule, in words of some length. */
const changingEndings: readonly (readonly [RegExp, string])[] = [
  [/(?<=\w{3})is(?=(?:e[ds]?|ers?|ing|ations?|able)$)/, 'iz'],
  [/(?<=\w{3})iz(?=(?:e[ds]?|ers?|ing|ations?|able)$)/, 'is'],
  [/(?<=\w{3})ys(?=(?:e[ds]?|ers?|ing)$)/, 'yz'],
  [/(?<=\w{3})yz(?=(?:e[ds]?|ers?|ing)$)/, 'ys'],
  [/(?<=\w{2}[aeiou])ll(?=(?:ed|ing|ers?|ist|ists)$)/, 'l'],
  [/(?<=\w{2}[aeiou])l(?=(?:ed|ing|ers?|ist|ists)$)/, 'll'],
];

/** The same word as it may be spelt across the ocean; most of the answers are no words, so ask the vocabulary. */
export function spellingPairs(word: string): Set<string> {
  const found = new Set<string>();
  for (const [british = '', american = ''] of pairs) {
    if (word.startsWith(british)) found.add(american + word.slice(british.length));
    if (word.startsWith(american)) found.add(british + word.slice(american.length));
  }
  for (const [pattern, other] of changingEndings) if (pattern.test(word)) found.add(word.replace(pattern, other));
  found.delete(word);
  return found;
}
