import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '#domain/db/database.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import type { Verdict } from './kill-figures.ts';

/** Somebody as the archive has acknowledged them. */
interface KnownPerson {
  /** Empty until it was seen. */
  uid: string;
  /** Null while nobody knows whether they signed up. */
  isThere: boolean | null;
  isViewer: boolean;
  /** Whether a change was asked for that was not answered. */
  isUnsure: boolean;
  /** Changes of the role that were acknowledged. */
  changes: number;
}

interface FoundPerson {
  readonly uid: string;
  readonly email: string;
  readonly isViewer: boolean;
  readonly changes: number;
}

const patienceMs = 5_000;

/** People with addresses of this domain who sign up and are given and denied a role over HTTP, and a ledger of every answer. */
export function openPeopleLedger(pool: Pool, domain: string) {
  let acknowledged = 0;
  const people = new Map<string, KnownPerson>();

  async function signUp(origin: string): Promise<void> {
    const email = `${randomBytes(6).toString('hex')}@${domain}`;
    const { token } = await createSignInLink(pool, { email, name: 'Ann', network: '' });
    people.set(email, { uid: '', isThere: null, isViewer: false, isUnsure: false, changes: 0 });
    const isDone = await change(`${origin}/api/sign-in-link`, { method: 'POST', origin, body: { token, email } });
    const person = people.get(email);
    if (!isDone || !person) return;
    person.isThere = true;
    acknowledged += 1;
  }

  async function toggleRole(origin: string, cookie: string): Promise<void> {
    const sure = [...people.values()].filter(({ uid, isUnsure }) => uid !== '' && !isUnsure);
    const person = sure[Math.floor(Math.random() * sure.length)];
    // Whoever asks again at once would leave no time for anything else.
    if (!person) return await wait(20);
    person.isUnsure = true;
    const granted = !person.isViewer;
    const isDone = await change(`${origin}/api/users/${person.uid}/roles`, {
      method: 'PATCH',
      origin,
      cookie,
      body: { role: 'viewer', granted },
    });
    if (!isDone) return;
    person.isUnsure = false;
    person.isViewer = granted;
    person.changes += 1;
    acknowledged += 1;
  }

  /** Compares the ledger with the database, and takes over how that ended which was never answered. */
  async function judge(): Promise<Verdict> {
    const found = await findPeople(pool, domain);
    const verdict = { lost: [] as string[], twice: [] as string[], disagreements: [] as string[] };
    for (const [email, person] of people) {
      const rows = found.filter((row) => row.email === email);
      if (rows.length > 1) verdict.twice.push(`${email} is there ${rows.length} times`);
      if (rows.length === 0 && person.isThere) verdict.lost.push(`${email} signed up`);
      const [row] = rows;
      if (row && !person.isUnsure && row.isViewer !== person.isViewer) verdict.lost.push(`the role of ${email}`);
      // One more is right only where one was asked for that nobody answered, and then the role tells of it too.
      const unanswered = row && person.isUnsure && row.isViewer !== person.isViewer ? 1 : 0;
      if (row && row.changes !== person.changes + unanswered) verdict.disagreements.push(`${email}: ${row.changes} changes in the audit`);
      person.isThere = rows.length > 0;
      Object.assign(person, { uid: row?.uid ?? '', isViewer: row?.isViewer ?? false, isUnsure: false, changes: row?.changes ?? 0 });
    }
    const strangers = found.filter(({ email }) => !people.has(email));
    verdict.disagreements.push(...strangers.map(({ email }) => `${email} never asked to sign up`));
    return verdict;
  }

  return { signUp, toggleRole, judge, acknowledged: () => acknowledged };
}

/** Whether the archive acknowledged it; false when it refused or did not answer. */
async function change(url: string, call: { method: string; origin: string; cookie?: string; body: object }): Promise<boolean> {
  const { method, origin, cookie, body } = call;
  const headers = { 'content-type': 'application/json', origin, ...(cookie ? { cookie } : {}) };
  return await fetch(url, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function findPeople(pool: Pool, domain: string): Promise<FoundPerson[]> {
  const { rows } = await pool.query<FoundPerson>(
    `select u.id as uid, u.email, coalesce((u.roles ->> 'viewer')::boolean, false) as "isViewer",
            (select count(*)::int from audit a where a.subject_uid = u.id and a.action in ('role-granted', 'role-removed')) as changes
       from users u where u.email like '%@' || $1`,
    [domain],
  );
  return rows;
}
