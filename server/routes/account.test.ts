import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '#contract/account.ts';
import { startSession } from '#domain/signin/sessions.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { forgetRunOut } from '../app.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0';

test('people see in which browsers they are signed in, the one that asks first', async () => {
  const person = await addPerson(server.context, {});
  const elsewhere = await signInElsewhere(person);
  const { sessions } = await accountOf(person);
  expect(sessions.map(({ sid, browser, isThis }) => [sid, browser, isThis])).toEqual([
    [person.sid, 'An unknown browser', true],
    [elsewhere.sid, 'Firefox on Windows', false],
  ]);
});

test('people end a session of theirs, and no other', async () => {
  const person = await addPerson(server.context, {});
  const other = await addPerson(server.context, {});
  const elsewhere = await signInElsewhere(person);
  const foreign = await ask(person, 'DELETE', `/api/account/sessions/${other.sid}`);
  const unknown = await ask(person, 'DELETE', '/api/account/sessions/none');
  expect([foreign.statusCode, { ...foreign.json(), instance: '' }]).toEqual([404, { ...unknown.json(), instance: '' }]);
  expect(await isSignedIn(other)).toBe(true);
  expect((await ask(person, 'DELETE', `/api/account/sessions/${elsewhere.sid}`)).headers['set-cookie']).toBeUndefined();
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(person)).toBe(true);
  expect((await ask(person, 'DELETE', `/api/account/sessions/${person.sid}`)).headers['set-cookie']).toMatch(/^__Host-sid=; .*Max-Age=0/);
  expect(await isSignedIn(person)).toBe(false);
});

test('a key is called what it was named, cut between characters', async () => {
  const [person, keys] = [await addPerson(server.context, { editor: true }), '🔑'.repeat(80)];
  for (const name of [keys, `${'k'.repeat(79)}🔑🔑`]) await ask(person, 'POST', '/api/account/keys', { name, days: 1 });
  const { rows } = await server.context.pool.query<{ name: string }>('select name from keys');
  expect(rows.map(({ name }) => name).toSorted()).toEqual([`${'k'.repeat(79)}🔑`, keys]);
});

test('what ran out is deleted by the hourly work, as the privacy page says, and what did not stays', async () => {
  const { pool } = server.context;
  const [gone, here] = [await addPerson(server.context, {}), await addPerson(server.context, {})];
  const film = await addFilm(server.context);
  await pool.query("update sessions set last_seen_at = now() - interval '25 hours' where id = $1", [gone.sid]);
  await pool.query(
    "insert into recent_views select $1, sid, now() - hours * interval '1 hour' from (values ($2, 7), ($3, 5)) v (sid, hours)",
    [...[film, gone.sid, here.sid]],
  );
  await pool.query(`insert into sign_in_links (token_hash, email, created_at, expires_at)
    select 'link' || hours, 'ann@people.example', now(), now() - hours * interval '1 hour' from (values (25), (1)) v (hours)`);
  await pool.query(`insert into verifications (id, identifier, value, expires_at)
    select 'sign-in' || n, 'state', '', now() + n * interval '1 minute' from (values (-1), (1)) v (n)`);
  await forgetRunOut(server.context);
  const { rows } = await pool.query(
    `
    select (select array_agg(id) from sessions where id in ($1, $2)) as sessions, (select array_agg(sid) from recent_views) as views,
           (select array_agg(token_hash) from sign_in_links) as links, (select array_agg(id) from verifications) as "signIns"`,
    [...[gone.sid, here.sid]],
  );
  expect(rows[0]).toEqual({ sessions: [here.sid], views: [here.sid], links: ['link1'], signIns: ['sign-in1'] });
});

test('signing in once more than a hundred times ends the session that was used least lately', async () => {
  const person = await addPerson(server.context, {});
  const { pool } = server.context;
  await pool.query("update sessions set last_seen_at = now() - interval '1 hour' where id = $1", [person.sid]);
  for (let n = 1; n < 100; n += 1) await signInElsewhere(person);
  expect(await isSignedIn(person)).toBe(true);
  await pool.query("update sessions set last_seen_at = now() - interval '1 hour' where id = $1", [person.sid]);
  const newest = await signInElsewhere(person);
  expect([await isSignedIn(person), (await accountOf(newest)).sessions.length]).toEqual([false, 100]);
});

test('signing out everywhere ends every session of one person, at once', async () => {
  const person = await addPerson(server.context, { viewer: true });
  const other = await addPerson(server.context, { viewer: true });
  const elsewhere = await signInElsewhere(person);
  const bearer = await person.bearer();
  const answer = await ask(person, 'POST', '/api/account/sign-out-everywhere');
  expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, expect.stringMatching(/^__Host-sid=; .*Max-Age=0/)]);
  expect([await isSignedIn(person), await isSignedIn(elsewhere), await isSignedIn(other)]).toEqual([false, false, true]);
  const byBearer = await server.app.inject({ method: 'GET', url: '/api/account', headers: { authorization: `Bearer ${bearer}` } });
  expect(byBearer.statusCode).toBe(401);
});

test('who asks for several keys at once has no more than may be had', async () => {
  const { pool } = server.context;
  const person = await addPerson(server.context, { editor: true });
  const make = async () => (await ask(person, 'POST', '/api/account/keys', { name: 'At once', days: 1 })).statusCode;
  for (let n = 0; n < 18; n += 1) expect(await make()).toBe(200);
  // Whoever has counted waits here, until all have come.
  const gate = await pool.connect();
  await gate.query('begin; lock table audit in share mode');
  const answers = Promise.all(Array.from({ length: 5 }, make));
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await pool.query<{ n: number }>(waiting)).rows[0]?.n === 5);
  await gate.query('commit');
  gate.release();
  expect((await answers).toSorted()).toEqual([200, 200, 409, 409, 409]);
  const { rowCount } = await pool.query('select from keys where user_id = $1', [person.uid]);
  expect(rowCount).toBe(20);
});

test('people who delete their account are gone, and their cookie with them', async () => {
  const person = await addPerson(server.context, { viewer: true });
  const answer = await ask(person, 'DELETE', '/api/account');
  expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, expect.stringMatching(/^__Host-sid=; .*Max-Age=0/)]);
  expect(await isSignedIn(person)).toBe(false);
  const { rows } = await server.context.pool.query('select action, actor_uid from audit where subject_uid = $1', [person.uid]);
  expect(rows).toEqual([{ action: 'account-deleted', actor_uid: person.uid }]);
});

test('the only administrator cannot delete their account, and learns what to do first', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const answer = await ask(admin, 'DELETE', '/api/account');
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'last_admin']);
  expect(answer.json().detail).toContain('Make someone else an administrator first');
  expect([await isSignedIn(admin), answer.headers['set-cookie']]).toEqual([true, undefined]);
});

test('a note is kept in one line of at most 280 characters, and can be taken back', async () => {
  const person = await addPerson(server.context, {});
  const written = async (note: string) => [
    (await ask(person, 'PUT', '/api/account/note', { note })).statusCode,
    (await accountOf(person)).note,
  ];
  expect(await written(' I edit\nfor the\u202e north\u200b desk. ')).toEqual([200, 'I edit for the north desk.']);
  expect(await written('😀'.repeat(280))).toEqual([200, '😀'.repeat(280)]);
  expect(await written('x'.repeat(281))).toEqual([400, '😀'.repeat(280)]);
  expect(await written('')).toEqual([200, '']);
});

test('what people take along says all that is kept about them, and opens nothing', async () => {
  const person = await addPerson(server.context, { viewer: true });
  await signInElsewhere(person);
  const { pool } = server.context;
  await pool.query("insert into accounts (id, user_id, provider_id, account_id) values ($1, $1, 'google', 'subject-at-google')", [
    person.uid,
  ]);
  await ask(person, 'PUT', '/api/account/note', { note: 'From the north desk' });
  await ask(person, 'PUT', `/api/users/${person.uid}`, { displayName: 'Ada' });
  const answer = await ask(person, 'GET', '/api/account/export');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="my-account.json"',
    'cache-control': 'no-store',
  });
  expect(answer.json()).toMatchObject({
    uid: person.uid,
    displayName: 'Ada',
    email: `${person.uid}@people.example`,
    roles: { viewer: true },
    note: 'From the north desk',
    sessions: [{ isThis: true }, { browser: 'Firefox on Windows' }],
    providerAccounts: [{ provider: 'google', accountId: 'subject-at-google' }],
    activity: [{ action: 'name-changed', detail: 'Ada', from: '127.0.0.1' }],
  });
  const { rows } = await pool.query('select token_hash from sessions where user_id = $1', [person.uid]);
  for (const secret of [...rows.map(({ token_hash }) => token_hash), person.cookie.split('=')[1]])
    expect(answer.body).not.toContain(secret);
});

test('what administrators did to somebody stands in what that person takes along, without the names of the administrators', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const person = await addPerson(server.context, {});
  await ask(admin, 'PATCH', `/api/users/${person.uid}/roles`, { role: 'viewer', granted: true });
  const answer = await ask(person, 'GET', '/api/account/export');
  expect(answer.json().activity).toMatchObject([{ action: 'role-granted', detail: 'viewer', from: null }]);
  expect(answer.body).not.toContain(admin.uid);
  // What they did to others stands in their own, and not to whom.
  const own = await ask(admin, 'GET', '/api/account/export');
  expect(own.json().activity).toMatchObject([{ action: 'role-granted', detail: 'viewer', from: '127.0.0.1' }]);
  expect(own.body).not.toContain(person.uid);
});

async function signInElsewhere(person: Person): Promise<Person> {
  const { sid, secret } = await startSession(server.context.pool, person.uid, { userAgent: firefox, signedInBy: 'google' });
  return { ...person, sid, cookie: `__Host-sid=${secret}` };
}

async function isSignedIn(person: Person): Promise<boolean> {
  return (await ask(person, 'GET', '/api/session')).json().user !== null;
}

async function accountOf(person: Person): Promise<Account> {
  return Account.strict().parse((await ask(person, 'GET', '/api/account')).json());
}

function ask({ cookie }: Person, method: 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST', url: string, payload?: object) {
  return server.app.inject({ method, url, headers: { cookie, host: 'localhost:80', origin: 'http://localhost:80' }, payload });
}
