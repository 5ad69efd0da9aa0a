/*
 * A function is named by what it does. Its name begins with a verb, asks something, runs what it is given, or is a phrase that the call
 * completes: `linesOf(text)`, `tileAt(second)`. A verb that is missing here is written down here.
 */

const verbs = wordsOf(`
  add admit adopt advance allow announce answer answers apply arrange ask await become begin begins blend blur bound break build bundle
  call cancel capitalize catch change check checksum choose cite clean clear close code collapse collect combine command commit compare
  compile complete compose compress connect continue convert copy correct count create cut decode delete describe discard dismiss do
  draw drop dump embed encode end enqueue ensure erase escape estimate examine exclude expand explain export extract fail fetch find
  fingerprint finish fit focus fold follow forget forgive format frame gather give go grant group grow guess hash hear help hide hold
  ignore import index initialise insert invalidate invert join judge keep kill knock lay learn leave lend let limit link list listen
  load locate lock log look make mark match measure mediate mend merge migrate mint misspell mix move name narrow note number offer open
  order pack pair parse patch pause pick place plan plant play precompress prepare present preview print probe promote propose publish
  purge put query queue quote rank read rebuild recall recognise recompose record redraw refuse register reindex remark remember remove
  rename render renew replace request require reset respell restore retry reuse revoke rotate round run save say scan score seal search
  see seek select send serve set settle share shorten show sign skip slice sort spare spell split spread stage stamp start stay step
  stop store strip subscribe succeed suggest sum summarize survey sweep sync tag take tell throttle throw toggle tokenize track
  transform translate try understand undo unpack unseal update verify walk watch weigh welcome word work write
`);

/** What begins a question that is answered by yes or no. */
const questions = wordsOf(`
  accepts are awaits bears can changes covers did differs exists fits has hears hides holds is leaves may meets mixes names needs opens
  overlaps reads says shares should shows takes tells
`);

/** What begins the name of something that is run around, before or beside what it is given, or that is left out or put in its place. */
const adverbs = wordsOf('as at back by each every for in once to unless until when while why with without');

/** Words behind which the call goes on. */
const openEnds =
  /(?:Of|At|In|For|By|To|With|From|Between|Among|Within|Around|Below|Above|On|Behind|Beside|Under|As|Like|After|Before|First)(?:[A-Z]|$)/;

/** Components and hooks have rules of their own, and `sql` is known by its name. */
const exempt = /^(?:[A-Z]|use[A-Z]|sql$)/;

/** Whether a function that is called so is named by a noun. */
export function isNoun(name: string): boolean {
  const first = /^[a-z\d]+/.exec(name)?.[0] ?? '';
  return !exempt.test(name) && !openEnds.test(name) && ![verbs, questions, adverbs].some((words) => words.has(first));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
