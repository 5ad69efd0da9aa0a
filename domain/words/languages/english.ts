import { inflectionsOf, spellingPairs } from './english-forms.ts';
import { numberWays, numberWordsMax } from './english-numbers.ts';
import { homophonesOf, namesSaidAlike } from './english-said-alike.ts';
import type { Language } from './language.ts';

const stopWords =
  'a about all also am an and any are as at be been but by can could did do does dont for from get go got had has have he her him his how i if ' +
  'im in into is it its just like me my no not of oh okay ok on or our out right she should so some than that thats the their them then there ' +
  'these they this those to uh um up us was we were what when where which who why will with would yeah yes you your';

/**
 * Words that stand in more than a third of all talks, whatever they are about: counted over 1,133 of them, without those that belong to a
 * subject. They tell nothing of what a film is about.
 */
const everydayWords: ReadonlySet<string> = new Set(
  `
  ability able absolutely across actual actually add added adding after again against ago agree ahead allow allows almost along already
  alright also although always amazing amount another answer anybody anymore anyone anything anyway apply appreciate approach area arent
  around ask asked asking assume available aware away awesome back bad basic basically became because become becomes before beginning
  behind being believe benefit best better between beyond big bigger biggest bit both break bring bringing brought buy call called came
  cannot cant care case certain certainly chance change changed changes changing choice choose clear close come comes coming common
  completely complicated continue cool correct couldnt couple course crazy create created curious day days decide decided deep definitely
  degree didnt difference different difficult directly doesnt doing done down during each earlier early easier easily easy either else end
  ended enough entire especially essentially even eventually ever every everybody everyone everything exact exactly example examples
  excited exciting exist existing expect explain fact fair familiar far favorite feel feeling feels felt few final finally find fine first
  fit folks follow forget fully fun funny further generally gets getting give given gives giving goes going gone gonna good gotta gotten
  great group guess guy guys half handle happen happened happening happens happy hard harder havent having hear heard hello help helpful
  helping helps here heres hes hey high higher hit hold honestly hope hopefully hour hours however huh idea ideas ill imagine immediately
  important improve including inside instead interested interesting involved isnt itll itself ive jump just keep key kind kinds knew know
  knowing knowledge known knows large last later learn learned least left less let lets like line lines literally little long longer look
  looked looking looks lot lots love made major make makes making man many matter may maybe mean means mention mentioned middle might mind
  mm moment more most mostly move moved moving much multiple must myself name necessarily need needed needs never new news next nice
  nobody nothing now number numbers obviously off often oh ok okay old once one ones only other others otherwise outside over own
  particular parts past people peoples per perfect person personally pick piece pieces playing please plus point points possible
  potentially pretty previous probably problem problems pull push put putting question questions quick quickly quite rather reach read
  reading ready real realize realized really reason reasons recent recently related remember request right run running runs said same saw
  say saying says see seeing seem seems seen self send set several short shouldnt show shows side sign similar simple since situation
  slightly slow smaller solve somebody somehow someone something sometimes somewhere soon sorry sort sorts sound sounds specifically spend
  spent start started starting starts stay step still stop stuff such super supposed sure take taken takes taking talk talked talking
  talks tell telling thank thanks themselves theres theyll theyre theyve thing things think thinking third though thought thoughts three
  through throw time times today together told too took top totally touch towards tried true try trying turn turns two uh um under
  understand understanding unless until use used useful uses using usually various very via wait wanna want wanted wants wasnt way ways
  wed week weeks weird welcome well went werent weve whatever whats whenever whereas whether while whole whos within without wont word
  words work worked working works world worry worth wouldnt wow wrong yeah year years yes yet youd youll youre yourself youve
`
    .trim()
    .split(/\s+/),
);

export const english: Language = {
  code: 'en',
  stopWords: new Set(stopWords.split(' ')),
  everydayWords,
  inflectionsOf,
  otherSpellingsOf: spellingPairs,
  homophonesOf,
  namesSaidAlike,
  numberWays,
  numberWordsMax,
};
