import { listNumberWays, numberWordsMax } from './english-numbers.ts';
import type { Language } from './language.ts';

const stopWords =
  'a about all also am an and any are as at be been but by can could did do does dont for from get go got had has have he her him his how i if ' +
  'im in into is it its just like me my no not of oh okay ok on or our out right she should so some than that thats the their them then there ' +
  'these they this those to uh um up us was we were what when where which who why will with would yeah yes you your';

const questionWords: ReadonlySet<string> = new Set(
  'are can could did do does had has have how is should was were what when where which who whom whose why will would'.split(' '),
);

/**
 * Words that stand in more than a third of all talks, whatever they are about: counted over 1,133 of them, without those that belong to a
 * subject. They say nothing of what a film is about.
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

/** English words that are said the same, or so much the same that people write the one for the other. */
const homophoneSets =
  'accept/except access/excess adapt/adopt advice/advise affect/effect air/heir aisle/isle allowed/aloud allusion/illusion altar/alter ' +
  'ant/aunt arc/ark ascent/assent ate/eight bail/bale band/banned bare/bear baron/barren base/bass bazaar/bizarre beach/beech bean/been ' +
  'beat/beet berry/bury berth/birth billed/build bite/byte blew/blue board/bored boarder/border bolder/boulder born/borne bough/bow ' +
  'boy/buoy brake/break braking/breaking bread/bred breath/breathe bridal/bridle broach/brooch brows/browse butt/but buy/bye/by cache/cash ' +
  'cannon/canon canvas/canvass capital/capitol carat/carrot/karat cast/caste ceiling/sealing cell/sell cellar/seller censor/sensor ' +
  'cent/scent/sent cereal/serial chews/choose chord/cord chute/shoot cite/sight/site clause/claws climb/clime close/clothes coarse/course ' +
  'colonel/kernel complement/compliment complementary/complimentary conscience/conscious core/corps council/counsel creak/creek ' +
  'crews/cruise cue/queue currant/current cymbal/symbol dam/damn days/daze dear/deer descent/dissent desert/dessert device/devise dew/due ' +
  'die/dye discreet/discrete doe/dough dual/duel dyeing/dying earn/urn elicit/illicit eminent/imminent ensure/insure eye/aye fair/fare ' +
  'faze/phase feat/feet find/fined fir/fur flair/flare flea/flee flew/flu/flue flour/flower fore/four/for foreword/forward ' +
  'formally/formerly forth/fourth foul/fowl frays/phrase freeze/frieze/frees gait/gate genes/jeans gorilla/guerrilla/guerilla grate/great ' +
  'grease/greece groan/grown guessed/guest guise/guys hail/hale hair/hare hall/haul hangar/hanger heal/heel hear/here heard/herd ' +
  'heroin/heroine hi/high higher/hire hymn/him hoard/horde hoarse/horse hole/whole holy/wholly hour/our idle/idol inn/in key/quay ' +
  'knead/need knew/new knight/night knot/not know/no knows/nose lain/lane laps/lapse later/latter lead/led leak/leek lessen/lesson ' +
  'levee/levy liar/lyre lie/lye lightening/lightning load/lode loan/lone loose/lose loot/lute made/maid mail/male main/mane/maine ' +
  'maize/maze manner/manor mantel/mantle marshal/martial massed/mast meat/meet medal/meddle/metal/mettle might/mite mince/mints mind/mined ' +
  'miner/minor missed/mist moan/mown mode/mowed moose/mousse morning/mourning muscle/mussel mustard/mustered naval/navel none/nun ' +
  'oar/ore/or ode/owed one/won overdo/overdue overseas/oversees pail/pale pain/pane pair/pare/pear palate/palette/pallet passed/past ' +
  'patience/patients pause/paws peace/piece peak/peek/pique peal/peel pedal/peddle peer/pier personal/personnel plain/plane pleas/please ' +
  'plum/plumb pole/poll poor/pour/pore pray/prey precede/proceed presence/presents prince/prints principal/principle profit/prophet ' +
  'quarts/quartz quiet/quite rain/reign/rein raise/rays/raze rap/wrap rapped/rapt/wrapped read/reed/red real/reel reek/wreak rest/wrest ' +
  'review/revue right/write/rite/wright ring/wring road/rode/rowed roe/row role/roll root/route rose/rows rote/wrote rough/ruff rung/wrung ' +
  'rye/wry sail/sale sauce/source scene/seen scull/skull sea/see seam/seem sear/seer seas/sees/seize serf/surf sew/sow/so shear/sheer ' +
  'shoe/shoo side/sighed sighs/size slay/sleigh sleight/slight soar/sore sole/soul some/sum son/sun staid/stayed stair/stare stake/steak ' +
  'stationary/stationery steal/steel step/steppe stile/style storey/story straight/strait suite/sweet sundae/sunday tacks/tax tail/tale ' +
  'taught/taut tea/tee team/teem tear/tier tense/tents threw/through throne/thrown thyme/time tic/tick tide/tied toad/towed toe/tow ' +
  'told/tolled ton/tonne troop/troupe two/too/to vain/vane/vein vale/veil vary/very verses/versus vial/vile vice/vise wade/weighed ' +
  'wail/whale waist/waste wait/weight waive/wave ware/wear/where warn/worn way/weigh weak/week weather/whether wet/whet which/witch ' +
  'while/wile whine/wine whose/whos wood/would world/whirled yoke/yolk yore/your';

const homophones = othersInSets(homophoneSets);

/** What a word may have been written for by ear: sight for site, and sights for sites. */
function homophonesOf(word: string): readonly string[] {
  const known = homophones.get(word) ?? [];
  const ofSingular = word.endsWith('s') ? (homophones.get(word.slice(0, -1)) ?? []) : [];
  return [...known, ...ofSingular.map((other) => `${other}s`)];
}

/** First names that are said the same, or so much the same that people who only heard one write the other. */
const nameSets =
  'aaron/erin alan/allan/allen alison/allison/alyson ann/anne anna/hanna/hannah antony/anthony ashley/ashleigh barry/barrie bernard/bernhard ' +
  'bobby/bobbie brandon/brendan brian/bryan/brien britney/brittany caitlin/kaitlyn/katelyn carl/karl carmen/karmen carol/carole/karol ' +
  'caspar/casper/kaspar catherine/katherine/kathryn/cathryn/katharine cathy/kathy cecil/cecile charlie/charley chris/kris ' +
  'christian/kristian christina/kristina christine/kristine christopher/kristofer/christoph claire/clare/clair claudia/klaudia ' +
  'clark/clarke colin/collin connor/conor craig/kraig curt/kurt curtis/kurtis darren/darin darryl/daryl/darrell debbie/debby ' +
  'deborah/debra denis/dennis/denise derek/derrick/derik diana/dianna/diane dillon/dylan dominic/dominik ' +
  'edvard/edward eliot/elliot/elliott elisabeth/elizabeth emanuel/emmanuel emily/emilie eric/erik/erich erica/erika ernest/earnest ' +
  'eugene/eugen evan/ewan/euan felix/feliks filip/philip/phillip/philippe frances/francis frank/franck/franc ' +
  'frederic/frederick/fredrick/frederik fritz/frits gabriel/gabrielle gareth/garth gary/garry ' +
  'geoff/jeff geoffrey/jeffrey/jeffery george/georg gerald/jerald gerard/gerhard gerry/jerry/jeri/geri gillian/jillian glen/glenn ' +
  'graeme/graham/grahame greg/gregg gregor/gregory gwen/gwyn harald/harold harry/harri helen/helene/hellen ' +
  'henri/henry/henrik herman/hermann hugh/huw/hugo ian/iain/ean irene/irina isaac/izaak ' +
  'isabel/isabelle/isobel/isabella ivan/iwan jack/jacques/jac jackie/jacqui jacob/jakob/yakob jaime/jamie/jayme jan/yan/yann jane/jayne ' +
  'janet/jeanette jared/jerod/jarrod/jarod jasmin/jasmine/yasmin jason/jayson jean/gene/jeanne jenifer/jennifer jenny/jennie jessie/jesse ' +
  'jill/gill joan/joanne jodi/jody joe/jo johan/johann/yohan john/jon johnathan/jonathan/jonathon jordan/jordon josef/joseph/jozef ' +
  'judi/judy/judie julia/giulia julian/julien justin/justine karen/karin/karyn katie/katy katrina/catrina kate/cate ' +
  'kelly/kelley/kellie kirsten/kristen/kristin/kirstin klaus/claus lara/laura larry/laurie/lori ' +
  'laurence/lawrence/lorenz lauren/loren/lorne lea/leah/lia lee/leigh leslie/lesley lewis/louis/luis lily/lilly linda/lynda ' +
  'lindsay/lindsey/lyndsey lisa/liza lois/louise lucas/lukas luc/luke lucy/lucie lynn/lynne/lyn madeleine/madeline/madelyn marc/mark ' +
  'marcus/markus margaret/margret/margaux maria/mariah/marya marie/mary marian/marion/marianne marilyn/marylin mario/marius ' +
  'marten/martin/martyn mateo/matteo/matheo mathew/matthew/matthieu matthias/mathias/matias maurice/morris megan/meghan ' +
  'melanie/melany melissa/melisa micah/mica michael/micheal/mikael/michel michele/michelle miles/myles mitchel/mitchell ' +
  'mohamed/mohammad/mohammed/muhammad/muhammed molly/mollie monica/monika natalie/nathalie ' +
  'natalia/nataliya neal/neil/niall/niel niamh/neve nick/nik/nic nicholas/nicolas/nikolas nicola/nikola/nicolle nicole/nichole ' +
  'oliver/olivier/olliver oscar/oskar owen/eoin/ewen ' +
  'patric/patrick/patrik patricia/patrizia peggy/peggie penny/pennie perry/peri peter/pieter/petr ' +
  'pier/pierre rachel/rachael/rachelle rafael/raphael ralf/ralph ray/rey raymond/raimund rebecca/rebekah/rebeca reed/reid/read rene/renee ' +
  'rhys/reece/reese riccardo/ricardo richard/rickard rick/ric/rik ricky/rickey rob/robb robin/robyn rodger/roger ' +
  'roland/rowland rosanna/roseanna rowan/rohan rudolf/rudolph russel/russell ' +
  'ryan/rian sally/sallie sandy/sandi sara/sarah sasha/sascha saul/sol ' +
  'scot/scott sean/shaun/shawn/shaune sebastian/sebastien/sebastiaan serge/sergei/sergey/sergio sharon/sharron sheila/shelagh/shiela ' +
  'shelly/shelley sheri/sherry/cherie sidney/sydney simon/simone sofia/sophia sofie/sophie sonia/sonya/sonja stacey/stacy stan/sten ' +
  'stefan/stephan/stephane/steffen/stephen stefanie/stephanie/stephani steven/stephen stewart/stuart sue/su susan/suzanne/susann ' +
  'susanna/suzanna/susannah sven/swen sylvia/silvia tania/tanya terence/terrence/terrance teresa/theresa/therese ' +
  'terry/terri/teri thomas/tomas/tomasz tim/timm timothy/timothee toby/tobi todd/tod tom/thom toni/tony ' +
  'tracey/tracy/traci tristan/tristen valerie/valery veronica/veronika vicky/vicki/vickie ' +
  'victor/viktor vivian/vivien/vivienne vladimir/wladimir wallace/wallis walter/valter ' +
  'wendy/wendi werner/verner wilhelm/vilhelm will/wil willem/william xavier/javier yves/eve yvette/evette yvonne/evonne ' +
  'zac/zach/zack/zak zachary/zachery/zackary zoe/zoey/zoie';

const names = othersInSets(nameSets);

/** What a first name may have been written for by ear: Geoff for Jeff. */
function namesSaidAlike(name: string): readonly string[] {
  return names.get(name) ?? [];
}

/** Of every word of some sets (`sight/site cue/queue`) the others of its sets. */
function othersInSets(sets: string): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, string[]>();
  for (const set of sets.split(' ')) {
    const words = set.split('/');
    for (const word of words) others.set(word, [...(others.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return others;
}

export const english: Language = {
  code: 'en',
  stopWords: new Set(stopWords.split(' ')),
  everydayWords,
  questionWords,
  inflectionsOf,
  otherSpellingsOf: spellingPairsOf,
  homophonesOf,
  namesSaidAlike,
  numberWays: listNumberWays,
  numberWordsMax,
};

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
function inflectionsOf(word: string): Set<string> {
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
function spellingPairsOf(word: string): Set<string> {
  const found = new Set<string>();
  for (const [british = '', american = ''] of pairs) {
    if (word.startsWith(british)) found.add(american + word.slice(british.length));
    if (word.startsWith(american)) found.add(british + word.slice(american.length));
  }
  for (const [pattern, other] of changingEndings) if (pattern.test(word)) found.add(word.replace(pattern, other));
  found.delete(word);
  return found;
}
