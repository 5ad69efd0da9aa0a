import { othersInSets } from './word-sets.ts';

/** First names that are said the same, or so much the same that people who only heard one write the other. */
const sets =
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

const others = othersInSets(sets);

/** What a first name may have been written for by ear: Geoff for Jeff. */
export function namesSaidAlike(name: string): readonly string[] {
  return others.get(name) ?? [];
}
