import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Roles } from '#contract/roles.ts';
import { ActivityPage, UserPage, UserRow } from '#contract/users.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  admin = await addPerson(server.context, { admin: true });
});
afterAll(() => server.stop());

test('4.4 an admin toggles each role on its own', async () => {
  const { uid } = await addPerson(server.context, {});
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const granted = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, { role, granted: true });
    expect([granted.statusCode, granted.json().roles]).toEqual([200, { [role]: true }]);
    const removed = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, { role, granted: false });
    expect([removed.statusCode, removed.json().roles]).toEqual([200, {}]);
  }
});

test('4.4 switching a role that is switched already changes nothing, whatever was seen before', async () => {
  const { uid } = await addPerson(server.context, {});
  const change = { role: 'viewer', granted: true, authVersion: 1 };
  const first = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, change);
  const second = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, change);
  expect([first.statusCode, second.statusCode, second.json()]).toEqual([200, 200, first.json()]);
  expect(await auditOf(uid)).toEqual([['role-granted', admin.uid, 'viewer']]);
});

test('a switch that was seen in another state is refused, and the state stays', async () => {
  const { uid } = await addPerson(server.context, { viewer: true });
  const stale = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, { role: 'admin', granted: true, authVersion: 1 });
  expect([stale.statusCode, stale.json().code]).toEqual([412, 'version_mismatch']);
  expect(await rolesOf(uid)).toEqual({ viewer: true });
  const seen = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, { role: 'admin', granted: true, authVersion: 2 });
  expect([seen.statusCode, seen.json().roles]).toEqual([200, { viewer: true, admin: true }]);
});

test.each<[string, object, number, string]>([
  ['a role that there is not', { role: 'superuser', granted: true }, 400, 'invalid_parameter'],
  ['several roles at once', { role: 'viewer', granted: true, roles: { admin: true } }, 400, 'invalid_parameter'],
  ['a word for a switch', { role: 'viewer', granted: 'yes' }, 400, 'invalid_parameter'],
  ['a version that is none', { role: 'viewer', granted: true, authVersion: '1' }, 400, 'invalid_parameter'],
  ['nothing', {}, 400, 'invalid_parameter'],
])('4.4 %s is refused', async (_what, change, status, code) => {
  const { uid } = await addPerson(server.context, {});
  const answer = await ask(admin, 'PATCH', `/api/users/${uid}/roles`, change);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  expect(await rolesOf(uid)).toEqual({});
});

test('4.4 6.5 nobody toggles their own roles, administrators included', async () => {
  for (const role of ['viewer', 'editor', 'admin']) {
    const answer = await ask(admin, 'PATCH', `/api/users/${admin.uid}/roles`, { role, granted: role !== 'admin' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'self_change']);
  }
  expect(await rolesOf(admin.uid)).toEqual({ admin: true });
});

test('5.3 6.5 an admin deletes a user: sessions, accounts and links go, and asking twice says that nobody is there', async () => {
  const person = await addPerson(server.context, { viewer: true });
  const { pool } = server.context;
  const email = `${person.uid}@people.example`;
  await pool.query('update users set email_verified = true where id = $1', [person.uid]);
  await pool.query("insert into accounts (id, user_id, provider_id, account_id) values ($1, $1, 'google', $1)", [person.uid]);
  await pool.query("insert into sign_in_links (token_hash, email, expires_at) values ($1, $2, now() + interval '1 hour')", [
    person.uid,
    email,
  ]);
  const deleted = await ask(admin, 'DELETE', `/api/users/${person.uid}`);
  expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
  for (const [statement, value] of [
    ['select from users where id = $1', person.uid],
    ['select from sessions where user_id = $1', person.uid],
    ['select from accounts where user_id = $1', person.uid],
    ['select from sign_in_links where email = $1', email],
  ] as const)
    expect((await pool.query(statement, [value])).rowCount).toBe(0);
  expect((await ask(person, 'GET', '/api/session')).json()).toEqual({ user: null });
  const again = await ask(admin, 'DELETE', `/api/users/${person.uid}`);
  expect([again.statusCode, again.json().code]).toEqual([404, 'not_found']);
  expect((await ask(admin, 'PATCH', `/api/users/${person.uid}/roles`, { role: 'viewer', granted: true })).statusCode).toBe(404);
  expect(await auditOf(person.uid)).toEqual([['user-deleted', admin.uid, '']]);
});

test('8.3 a delete that is refused says why and leaves the user', async () => {
  const answer = await ask(admin, 'DELETE', `/api/users/${admin.uid}`);
  expect([answer.statusCode, answer.json().code, answer.json().detail]).toEqual([409, 'conflict', expect.stringContaining('account page')]);
  expect(await rolesOf(admin.uid)).toEqual({ admin: true });
});

test('6.6 admins read the whole users collection; nobody else does', async () => {
  const viewer = await addPerson(server.context, { viewer: true, editor: true });
  const page = UserPage.parse((await ask(admin, 'GET', '/api/users?order=desc&pageSize=2')).json());
  expect(page.users.map(({ uid }) => uid)).toContain(viewer.uid);
  expect((await ask(viewer, 'GET', '/api/users')).statusCode).toBe(403);
  // Whether there is somebody is not said either.
  const bodies = [admin.uid, 'nobody'].map(async (uid) => {
    const answer = await ask(viewer, 'GET', `/api/users/${uid}`);
    return [answer.statusCode, { ...answer.json(), instance: '' }];
  });
  const [existing, unknown] = await Promise.all(bodies);
  expect(existing).toEqual(unknown);
  expect(existing?.[0]).toBe(403);
  expect((await ask(admin, 'GET', '/api/users/nobody')).statusCode).toBe(404);
  expect((await ask(admin, 'GET', '/api/users/no%00body')).statusCode).toBe(404);
});

test('7.6 everybody reads and names themselves, and nobody else', async () => {
  const person = await addPerson(server.context, {});
  const own = UserRow.strict().parse((await ask(person, 'GET', `/api/users/${person.uid}`)).json());
  expect(own).toMatchObject({ uid: person.uid, roles: {}, activatedAt: null });
  const named = await ask(person, 'PUT', `/api/users/${person.uid}`, { displayName: '  Ada\u202e  Lovelace ' });
  expect([named.statusCode, named.json().displayName]).toEqual([200, 'Ada Lovelace']);
  expect((await ask(person, 'GET', '/api/session')).json().user.displayName).toBe('Ada Lovelace');
  expect((await ask(person, 'PUT', `/api/users/${admin.uid}`, { displayName: 'Eve' })).statusCode).toBe(403);
  expect((await ask(admin, 'PUT', `/api/users/${person.uid}`, { displayName: 'Eve' })).statusCode).toBe(403);
  expect(await auditOf(person.uid)).toEqual([['name-changed', person.uid, 'Ada Lovelace']]);
});

test('nobody fills the audit with names of theirs: ten a day are taken, also when they are sent at once', async () => {
  const person = await addPerson(server.context, {});
  const names = Array.from({ length: 14 }, (_, n) => `Ada ${n}`);
  const answers = await Promise.all(names.map((displayName) => ask(person, 'PUT', `/api/users/${person.uid}`, { displayName })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
  expect(await auditOf(person.uid)).toHaveLength(10);
});

const NameEntry = z.object({ id: z.string(), value: z.string().optional(), stored: z.string().optional(), expect: z.string() });

test('3.1 a name is kept as the rules of names say, or refused', async () => {
  const entries = readCorpus('display-names', NameEntry).filter(({ value }) => value !== undefined);
  const kept: [string, unknown][] = [];
  for (const { id, value } of entries) {
    const person = await addPerson(server.context, {});
    const answer = await ask(person, 'PUT', `/api/users/${person.uid}`, { displayName: value });
    kept.push([id, answer.statusCode === 200 ? answer.json().displayName : answer.statusCode]);
  }
  expect(kept).toEqual(entries.map(({ id, stored, expect: verdict }) => [id, verdict === 'reject' ? 400 : stored]));
  expect(entries.length).toBeGreaterThan(90);
});

const gifts = [
  ...[
    'roles',
    'role',
    'admin',
    'isAdmin',
    'viewer',
    'uid',
    'id',
    'email',
    'emailVerified',
    'email_verified',
    'authVersion',
    'auth_version',
  ],
  ...[
    'roles.admin',
    'roles[admin]',
    'user',
    'users',
    'data',
    '$set',
    'constructor',
    'prototype',
    'activatedAt',
    'note',
    'signInWays',
    'sid',
  ],
];
const wishes = [{ admin: true }, true, 'admin'];

test('nothing but a name is taken from whoever names themselves, however it is wrapped', async () => {
  const person = await addPerson(server.context, {});
  const before = (await ask(person, 'GET', `/api/users/${person.uid}`)).json();
  const bodies = gifts.flatMap((name) => wishes.map((wish) => JSON.stringify({ displayName: before.displayName, [name]: wish })));
  bodies.push(
    '{"displayName":"Eve","__proto__":{"roles":{"admin":true}}}',
    '{"displayName":"Eve","constructor":{"prototype":{"roles":{"admin":true}}}}',
    '[{"displayName":"Eve","roles":{"admin":true}}]',
    '{"displayName":{"toString":"Eve","roles":{"admin":true}}}',
    '"Eve"',
    'null',
  );
  for (const body of bodies) {
    const answer = await ask(person, 'PUT', `/api/users/${person.uid}`, body);
    // Who is meant stands in the address; what a body says of it counts for nothing.
    expect([body, answer.statusCode]).toEqual([body, body.includes('"uid":') ? 200 : 400]);
    expect((await ask(person, 'GET', `/api/users/${person.uid}`)).json()).toEqual(before);
  }
  expect(bodies.length).toBeGreaterThanOrEqual(60);
});

test('administrators read who did what to whom, by the page and as a table to keep', async () => {
  const { uid } = await addPerson(server.context, {});
  await ask(admin, 'PATCH', `/api/users/${uid}/roles`, { role: 'editor', granted: true });
  await ask(admin, 'DELETE', `/api/users/${uid}`);
  const page = ActivityPage.strict().parse((await ask(admin, 'GET', '/api/activity?pageSize=2')).json());
  expect(page.entries).toMatchObject([
    { action: 'user-deleted', actor: { uid: admin.uid }, subject: { uid, email: `${uid}@people.example` }, from: '127.0.0.1' },
    { action: 'role-granted', actor: { uid: admin.uid }, subject: { uid }, detail: 'editor' },
  ]);
  expect(page.nextPage).toEqual({ skip: 2, done: page.total <= 2 });
  const csv = await ask(admin, 'GET', '/api/activity/csv');
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': expect.stringMatching(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/),
    'cache-control': 'no-store',
  });
  const [, latest] = csv.body.split('\r\n');
  expect(latest).toBe(
    `${page.entries[0]?.at},user-deleted,,Person ${admin.uid},${admin.uid}@people.example,${admin.uid},Person ${uid},${uid}@people.example,${uid},127.0.0.1,,,`,
  );
  for (const url of ['/api/activity?skip=-1', '/api/activity?pageSize=101', '/api/activity?pageSize=x'])
    expect((await ask(admin, 'GET', url)).statusCode).toBe(400);
});

test('whoever names themselves over and over has to wait', async () => {
  const strict = await startTestServer({ RUSHES_TOKEN_BURST: '3', RUSHES_TOKENS_PER_MINUTE: '1' });
  const person = await addPerson(strict.context, {});
  const headers = { cookie: person.cookie, host: 'localhost:80', origin: 'http://localhost:80' };
  const rename = () => strict.app.inject({ method: 'PUT', url: `/api/users/${person.uid}`, headers, payload: { displayName: 'Ann' } });
  const statuses = [await rename(), await rename(), await rename(), await rename()].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await strict.stop();
});

type Attempt = [method: 'PATCH' | 'DELETE', path: string, body?: object];
const attempts: Record<string, (uid: string) => Attempt> = {
  'removing the role': (uid) => ['PATCH', `/api/users/${uid}/roles`, { role: 'admin', granted: false }],
  deleting: (uid) => ['DELETE', `/api/users/${uid}`],
};

test('6.5 of two admins who remove each other at the same moment one wins, and there is always one left', async () => {
  const ways = Object.values(attempts);
  const pairs = ways.flatMap((ofAnn) => ways.map((ofBen) => ({ ofAnn, ofBen })));
  const rounds = Array.from({ length: wantsWholeCorpus ? 50 : 8 }, () => pairs).flat();
  for (const { ofAnn, ofBen } of rounds) {
    const [ann, ben] = await twoAdmins();
    const answers = await Promise.all([ask(ann, ...ofAnn(ben.uid)), ask(ben, ...ofBen(ann.uid))]);
    const [won, lost] = answers.map(({ statusCode }) => statusCode).sort();
    expect(won).toBeLessThan(300);
    expect([401, 403]).toContain(lost);
    expect(await adminCount()).toBe(1);
  }
  expect(rounds.length).toBeGreaterThanOrEqual(30);
});

test('6.5 of two admins who delete their own accounts at the same moment one has to stay', async () => {
  for (let round = 0; round < (wantsWholeCorpus ? 200 : 8); round += 1) {
    const [ann, ben] = await twoAdmins();
    const answers = await Promise.all([ask(ann, 'DELETE', '/api/account'), ask(ben, 'DELETE', '/api/account')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'last_admin' });
    expect(await adminCount()).toBe(1);
  }
});

/** The only two administrators of the archive. */
async function twoAdmins(): Promise<[Person, Person]> {
  await server.context.pool.query("update users set roles = '{}' where roles <> '{}'");
  return [await addPerson(server.context, { admin: true }), await addPerson(server.context, { admin: true })];
}

async function adminCount(): Promise<number> {
  const { rows } = await server.context.pool.query<{ count: number }>(`select count(*) from users where roles @> '{"admin": true}'`);
  return rows[0]?.count ?? 0;
}

async function rolesOf(uid: string): Promise<Roles | undefined> {
  const { rows } = await server.context.pool.query<{ roles: Roles }>('select roles from users where id = $1', [uid]);
  return rows[0]?.roles;
}

async function auditOf(uid: string) {
  const { rows } = await server.context.pool.query('select action, actor_uid, detail from audit where subject_uid = $1 order by id', [uid]);
  return rows.map(({ action, actor_uid, detail }) => [action, actor_uid, detail]);
}

/** A call as this person's browser makes it; a text goes as it is. */
function ask({ cookie }: Person, method: 'GET' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object | string) {
  const headers = { cookie, host: 'localhost:80', origin: 'http://localhost:80', ...(body ? { 'content-type': 'application/json' } : {}) };
  return server.app.inject({ method, url, headers, payload: typeof body === 'string' ? body : body && JSON.stringify(body) });
}
