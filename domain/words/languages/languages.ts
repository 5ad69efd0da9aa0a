/*
 * Languages: what stands for a word in films of one, beyond its letters. language says what the search asks of a language, a file for each that
 * has more to say than how it elides gives it (english); which of them count for a film, its own language decides, here.
 */
import { english } from './english.ts';
import type { Language } from './language.ts';

/**
 * The languages that the search knows; of all but English only how they elide. Words of any other are compared by their folded letters alone.
 */
const eliding: readonly Language[] = [makeFrench(), makeItalian(), makeCatalan()];
export const knownLanguages: readonly Language[] = [english, ...eliding];

/**
 * The known languages among those of some films, by their tags. A film that does not tell its language may be of any known one, but for those
 * of which only the elisions are known: else the English never would be read as n’ever.
 */
export function languagesAmong(tags: Iterable<string>): readonly Language[] {
  const numbers = new Set(Array.from(tags, toLanguageNumber));
  return knownLanguages.filter((one) => numbers.has(toLanguageNumber(one.code)) || (numbers.has(anyLanguage) && !eliding.includes(one)));
}

/** Whether a folded word says nothing by itself in one of these languages. */
export function isStopWord(word: string, languages: readonly Language[]): boolean {
  return languages.some(({ stopWords }) => stopWords.has(word));
}

/** Whether a question begins with this word, in small letters, in one of these languages. */
export function isQuestionWord(word: string, languages: readonly Language[]): boolean {
  return languages.some(({ questionWords }) => questionWords.has(word));
}

/** Whether these words are a number in one of these languages. */
export function isNumber(tokens: readonly string[], languages: readonly Language[]): boolean {
  return languages.some(({ numberWays }) => numberWays(tokens).length > 0);
}

/** The number of a language that is not known. */
const anyLanguage = 0;
const letters = 26;

/** The number by which the index writes a language down, from its tag as of BCP 47: `en-GB` is `en`. It has less than 15 bits. */
export function toLanguageNumber(tag: string): number {
  const [code] = /^[a-z]{2,3}(?![^-_])/.exec(tag.toLowerCase()) ?? [];
  if (!code) return anyLanguage;
  return [...code].reduce((number, letter) => number * (letters + 1) + letter.charCodeAt(0) - 96, 0);
}

/** Whether what is asked for in a language may stand in a film of a language; both by their numbers. */
export function isOfLanguage(asked: number, film: number): boolean {
  return asked === anyLanguage || asked === film || (film === anyLanguage && !elidingNumbers.has(asked));
}

const elidingNumbers = new Set(eliding.map(({ code }) => toLanguageNumber(code)));

const elidable = /^[aeiouh][a-z]{2,}$/;

/**
 * A language of which is known only what may stand, with an apostrophe, before a vowel: folding makes one word of both (l'eau, leau).
 * `ownWords`: words that begin like that and are none, as dame for âme, of those that are said often.
 */
function makeElidingLanguage(code: string, before: string, ownWords: string): Language {
  const own = new Set(ownWords.trim().split(/\s+/));
  const beginnings = before.split(' ');
  return {
    code,
    stopWords: new Set(),
    everydayWords: new Set(),
    questionWords: new Set(),
    inflectionsOf: () => new Set(),
    otherSpellingsOf: (word) =>
      new Set(elidable.test(word) ? beginnings.map((beginning) => beginning + word).filter((joined) => !own.has(joined)) : []),
    homophonesOf: () => [],
    namesSaidAlike: () => [],
    numberWays: () => [],
    numberWordsMax: 0,
  };
}

function makeFrench(): Language {
  return makeElidingLanguage(
    'fr',
    'l d j n qu',
    `
    dame dames dans danse danvers davantage debat debats decote decoule decrire decrit delit demi demission denonce denoncer depart
    deploie deux devaluation digne dinde dindes dira dire dois doit donc dont dose dote dotee doter dotes douche doute douter doutes
    dure duree durees jambon james jargon jaune jaunes jete jeux joie joindre joint jose jouissent jouit jours laine lait lange
    langes larme larmes lavoir lavoirs legal legale legalement legales lente leon leur levier libere ligne ligue limitant limitation
    limite limitee limitees limitent limiter limites lion lire lires livre livres lois lors louis louvre lune nier nobel nombre
    nombreuses nombreux norme normes note noter notera notes notions notons qualite qualites quand quant quart quarts quatre quelle
    quelles queue quotite
    `,
  );
}

function makeItalian(): Language {
  return makeElidingLanguage(
    'it',
    'l d un dell all nell sull dall quell',
    `
    allerta alloggi allora dagli dalla dalle dallo dama dana dando dani danni danno dante dara darai dare darmi daro darsi darti
    datti dava davanti davvero degli della delle delusa delusione deluso dente denti dentro denunciare denunciato detto deve devo
    dintorni dira dire dirti distante distanza distruzione doppio dorme dosso dove dovunque lago lama lana lascia latte laurea lava
    lavare lenti letti letto leva limiti lire lola loro lotto love luna lungo unione unire unirti
    `,
  );
}

function makeCatalan(): Language {
  return makeElidingLanguage(
    'ca',
    'l d',
    `
    dades daga dale dalt dama dames damunt dana danes dansa darrere dates daurada daurat davall davant debo defecte deia deixa
    deixat deixe deixes deixi deixis delia dels dema demana demanant demanar demanara demanare demanaria demanat demanava demane
    demanem demanen demanes demaneu demani demanis demano demes denuncia denunciar denver descriu descriure despert despeses deures
    deus deva dira diran diras dire direm diria diries dolc dolent dolor doloros dolorosa dona donada dones dora dormi dorne durs
    lament laura legues lema lena lester licor limit limitada limitat loras lori lula
    `,
  );
}
