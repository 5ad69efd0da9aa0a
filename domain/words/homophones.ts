import { othersInSets } from './word-sets.ts';

/** English words that are said the same, or so much the same that people write the one for the other. */
const sets =
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

const others = othersInSets(sets);

/** What a word may have been written for by ear: sight for site, and sights for sites. */
export function homophonesOf(word: string): readonly string[] {
  const known = others.get(word) ?? [];
  const ofSingular = word.endsWith('s') ? (others.get(word.slice(0, -1)) ?? []) : [];
  return [...known, ...ofSingular.map((other) => `${other}s`)];
}
