import { englishEveryday } from './english-everyday.ts';
import { inflectionsOf, spellingPairs } from './english-forms.ts';
import { numberWays, numberWordsMax } from './english-numbers.ts';
import { homophonesOf, namesSaidAlike } from './english-said-alike.ts';
import type { Language } from './language.ts';

const stopWords =
  'a about all also am an and any are as at be been but by can could did do does dont for from get go got had has have he her him his how i if ' +
  'im in into is it its just like me my no not of oh okay ok on or our out right she should so some than that thats the their them then there ' +
  'these they this those to uh um up us was we were what when where which who why will with would yeah yes you your';

export const english: Language = {
  code: 'en',
  stopWords: new Set(stopWords.split(' ')),
  everydayWords: englishEveryday,
  inflectionsOf,
  otherSpellingsOf: spellingPairs,
  homophonesOf,
  namesSaidAlike,
  numberWays,
  numberWordsMax,
};
