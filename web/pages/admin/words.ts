import type { Attention } from '#contract/archive.ts';
import { limits } from '#contract/limits.ts';
import type { ActivityEntry } from '#contract/users.ts';
import { paths } from '#web/paths.ts';

const roles: Readonly<Record<string, string>> = { viewer: 'Watch', editor: 'Edit Videos', admin: 'Admin' };

/** What someone did, to be read between who did it and to whom. */
export function describeActivity({ action, before, detail }: Pick<ActivityEntry, 'action' | 'before' | 'detail'>): string {
  switch (action) {
    case 'signed-up':
      return 'signed up';
    case 'role-granted':
      return `gave ${roles[detail] ?? detail} to`;
    case 'role-removed':
      return `removed ${roles[detail] ?? detail} from`;
    case 'user-deleted':
      return 'deleted';
    case 'account-deleted':
      return 'deleted their own account';
    case 'name-changed':
      return 'changed their name to';
    case 'email-changed':
      return 'changed their e-mail to';
    case 'key-made':
    case 'key-revoked':
      return `${action === 'key-made' ? 'made' : 'revoked'} the key “${detail}”`;
    case 'film-added':
      return `sent “${detail}” as`;
    case 'sidecar-added':
      return `added “${detail}” to the file of`;
    case 'film-replaced':
      return `replaced the file “${before}” with “${detail}” in`;
    case 'poster-chosen':
      return `chose ${detail} as the poster of`;
    case 'film-shown-to':
      return `changed the visibility from “${before}” to “${detail}” of`;
    case 'film-deleted':
      return detail === '' ? 'deleted' : `deleted (“${detail}”)`;
    case 'film-restored':
    case 'film-erased':
      return action === 'film-erased' ? 'erased for good' : 'restored';
    case 'title-changed':
      return detail === '' ? 'changed the title of' : `changed the title to “${detail}” of`;
    case 'person-named':
      if (detail !== '') return `named “${detail}” in`;
      // Whom somebody named is not told once they are forgotten; what their face was called without a name stays.
      return before === '' || nameless.test(before) ? 'named someone in' : `took “${before}” off a face in`;
    case 'faces-merged':
      return `merged ${before.replace(', ', ' and ')} as one person in`;
    case 'person-forgotten':
      return 'forgot someone in';
    case 'fact-changed':
    case 'lines-corrected':
      return wordChange(before, detail);
    case 'brands-changed':
      return `${wordChange(before, detail)} the list of brands`;
    case 'lines-verified':
      return `confirmed “${detail}” in`;
    case 'recognition-on':
    case 'recognition-off':
      return `turned recognising people across videos ${action === 'recognition-on' ? 'on' : 'off'}`;
    case 'access-checked':
      return `checked access: ${detail}`;
    case 'correction-undone':
      return detail === '' ? 'undid a correction in' : `undid “${detail}” in`;
  }
}

/** What a face is called that nobody has named. */
const nameless = /^Unknown \d+$/;

function wordChange(before: string, detail: string): string {
  // What named somebody is not told once they are forgotten.
  if (before === '' && detail === '') return 'corrected';
  if (before === '') return `added “${detail}” to`;
  if (detail === '') return `removed “${before}” from`;
  return `changed “${before}” to “${detail}” in`;
}

/** Who did what no person of the archive did: a worker and the sweep of deleted videos do it by themselves. */
export function doerBehind({ from }: Pick<ActivityEntry, 'from'>): string {
  return from === 'worker' || from === 'the sweep' ? 'The archive' : 'The operator';
}

/** Whether it was done to somebody: what people do to themselves names nobody else. */
export function hasObject({ actor, subject, action }: Pick<ActivityEntry, 'actor' | 'subject' | 'action'>): boolean {
  return subject !== null && actor?.uid !== subject.uid && action !== 'signed-up';
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Age {
  /** `21 hours ago` */
  readonly words: string;
  /** How the promise of activation stands; null while there is time. */
  readonly urgency: 'due soon' | 'overdue' | null;
}

/** How long ago somebody signed up, and whether they wait too long. */
export function describeAge(ageMs: number): Age {
  const hours = ageMs / hourMs;
  const urgency = hours >= limits.activationPromiseHours ? 'overdue' : hours >= limits.activationDueSoonHours ? 'due soon' : null;
  return { words: wordAge(ageMs), urgency };
}

function wordAge(ageMs: number): string {
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${count(ageMs / minuteMs, 'minute')} ago`;
  if (ageMs < 2 * dayMs) return `${count(ageMs / hourMs, 'hour')} ago`;
  return `${count(ageMs / dayMs, 'day')} ago`;
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}

/** What waits for an administrator, each with the place that lists it; nothing where there is nothing. */
export function describeAttention({ waiting, failedFilms, foundNothing }: Attention): { words: string; to: string }[] {
  const all = [
    { count: waiting, words: `${spellAmount(waiting)} waiting`, to: `${paths.admin}#waiting` },
    {
      count: failedFilms,
      words: `${spellAmount(failedFilms)} ${failedFilms === 1 ? 'video' : 'videos'} failed`,
      to: `${paths.adminVideos}?filter=failed`,
    },
    {
      count: foundNothing,
      words: `${spellAmount(foundNothing)} ${foundNothing === 1 ? 'search' : 'searches'} found nothing`,
      to: paths.deskUnfound,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

const smallNumbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

function spellAmount(amount: number): string {
  return smallNumbers[amount] ?? amount.toLocaleString('en');
}
