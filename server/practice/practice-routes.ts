/*
 * What a practice archive has in place of the world: a provider of identities, and a mailbox that sends nothing.
 */

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { minidenticon } from 'minidenticons';
import type { KoaContext, Provider } from 'oidc-provider';
import { z } from 'zod';
import { Problem } from '#contract/problem.ts';
import { toAvatarHash } from '#domain/users/avatar-address.ts';
import { refuseOtherPages } from '../http/access/practice-visitor.ts';
import { visitOf } from '../http/access/visit.ts';
import type { RouteHost } from '../http/serve.ts';
import type { KeptMail, Mailbox } from '../mail/practice-mailbox.ts';
import { escapeMarkup } from '../markup-text.ts';
import { writeWindowPage } from '../sign-in-window/window-page.ts';
import { practicePath, practiceProvidersAt } from './practice-clients.ts';
import { type PracticePerson, practicePeople } from './practice-people.ts';

/** Puts the practice provider and the practice mailbox into this server; called in practice mode only. */
export function addPracticeRoutes({ app, context }: RouteHost): void {
  const providers = new Map<string, Promise<Provider>>();
  // Each of the machine's three names is an issuer of its own, so that cookies never change hosts.
  const providerFor = (request: FastifyRequest): Promise<Provider> => {
    const { origin } = visitOf(context, request);
    const provider = providers.get(origin) ?? createPracticeProvider(origin);
    providers.set(origin, provider);
    return provider;
  };

  if (context.mailbox) addMailboxRoutes(app, context.mailbox);
  app.register((scope, _options, done) => done(addChooserRoutes(scope, providerFor)));
  app.register((scope, _options, done) => done(addProtocolRoutes(scope, providerFor)));
}

const Choice = z.object({ person: z.string() });

type ProviderFor = (request: FastifyRequest) => Promise<Provider>;

/** The page on which a person is chosen, and the choice. */
function addChooserRoutes(scope: FastifyInstance, providerFor: ProviderFor): undefined {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  const path = `${practicePath}/interaction/:uid`;
  scope.get(path, async (request, reply) => {
    const provider = await providerFor(request);
    const { params } = await provider.interactionDetails(request.raw, reply.raw).catch(refuseOld);
    return reply.type('text/html; charset=utf-8').send(choosePersonPage(params.client_id ?? ''));
  });
  scope.post(path, async (request, reply) => {
    refuseOtherPages(request);
    const provider = await providerFor(request);
    const choice = Choice.safeParse(request.body);
    const person = practicePeople.find((one) => one.id === choice.data?.person);
    const result = person ? { login: { accountId: person.id } } : { error: 'access_denied', error_description: 'Nobody was chosen.' };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result).catch(refuseOld), 303);
  });
}

/** Everything else is the protocol's: the library reads and writes it on its own. */
function addProtocolRoutes(scope: FastifyInstance, providerFor: ProviderFor): undefined {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.route({
    method: ['GET', 'POST'],
    url: `${practicePath}/*`,
    handler: async (request, reply) => {
      const provider = await providerFor(request);
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      if (request.url.startsWith(`${practicePath}/auth`)) forgetLastPerson(request);
      // The library builds its own addresses from the part of the path that is not its own.
      const raw = Object.assign(request.raw, { originalUrl: request.url, url: request.url.slice(practicePath.length) });
      await provider.callback()(raw, reply.raw);
    },
  });
}

/** Every sign-in asks anew who to be; the library would ask the last person to leave first. */
function forgetLastPerson({ raw }: FastifyRequest): void {
  raw.headers.cookie = (raw.headers.cookie ?? '')
    .split(/; */)
    .filter((cookie) => !cookie.startsWith('_session'))
    .join('; ');
}

function refuseOld(): never {
  throw new Problem('invalid_parameter', 'This practice sign-in has expired. Close the window and start again.');
}

const standsFor: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' };

/** The page on which the practice provider asks who to be. */
function choosePersonPage(clientId: string): string {
  const instead = standsFor[clientId] ?? 'a real provider';
  return writeWindowPage({
    title: 'Practice sign-in: choose a person',
    body: `<h1>Practice sign-in: choose a person</h1>
<p>This archive is a practice archive. This page stands in for ${escapeMarkup(instead)} and exists on this machine only: no password, no account, nothing leaves it.</p>
<form method="post">
${practicePeople.map(writeButton).join('\n')}
<button class="quiet" name="person" value="">Cancel</button>
</form>`,
  });
}

function writeButton({ id, name, may, email }: PracticePerson): string {
  return `<button name="person" value="${escapeMarkup(id)}">${minidenticon(toAvatarHash(email), 60, 58)}<strong>${escapeMarkup(name)}</strong><span>${escapeMarkup(may)}</span></button>`;
}

/** The practice mailbox as a page, and as JSON for programs on this machine. */
function addMailboxRoutes(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/practice/mailbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(writeMailboxPage(mailbox.list())),
  );
  app.get('/practice/mailbox.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send({ mails: mailbox.list() }),
  );
}

/** The page that shows what a practice archive would have sent. */
function writeMailboxPage(mails: readonly KeptMail[]): string {
  return writeWindowPage({
    title: 'Practice mailbox',
    body: `<h1>Practice mailbox</h1>
<p>This is a practice archive. It sends no e-mail: its last fifty messages, to whomever, are kept here until it stops.</p>
${mails.length === 0 ? '<p>No e-mail yet.</p>' : mails.map(writeArticle).join('\n')}
<p><a href="/">To the archive</a></p>`,
  });
}

function writeArticle({ to, subject, text, at }: KeptMail): string {
  return `<article class="mail">
<h2>${escapeMarkup(subject)}</h2>
<p class="mail-about">To ${escapeMarkup(to)}, <time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)} UTC</time></p>
${text.trim().split('\n\n').map(writeParagraph).join('\n')}
</article>`;
}

function writeParagraph(text: string): string {
  const isLink = /^https?:\/\/\S+$/.test(text);
  return isLink ? `<p class="mail-link"><a href="${escapeMarkup(text)}">${escapeMarkup(text)}</a></p>` : `<p>${escapeMarkup(text)}</p>`;
}

/**
 * An OpenID provider that stands in for Google and Microsoft on the visitor's own machine: everybody may be anybody.
 * What it knows it keeps in memory and forgets with the process; our side of the sign-in is the real one.
 */
async function createPracticeProvider(origin: string): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return await runQuietly(async () => {
    const { Provider } = await import('oidc-provider');
    return new Provider(origin + practicePath, configurationFor(origin, { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }));
  });
}

/** The library warns on the operator's terminal that memory is forgotten and that this Node is newer than it knows: both are meant. */
async function runQuietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

function configurationFor(origin: string, signingKey: JWK) {
  return {
    clients: practiceProvidersAt(origin).map(({ id, clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${origin}/api/auth/callback/${id}`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    })),
    jwks: { keys: [signingKey] },
    cookies: { keys: [randomBytes(32).toString('base64url')], long: { path: practicePath, httpOnly: true, sameSite: 'lax' } },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Our side reads the person from the ID token.
    conformIdTokenClaims: false,
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    findAccount,
    loadExistingGrant: grantEverything,
    interactions: { url: (_context: KoaContext, { uid }: { uid: string }) => `${practicePath}/interaction/${uid}` },
    renderError,
  };
}

function findAccount(_context: KoaContext, id: string) {
  const person = practicePeople.find((one) => one.id === id);
  if (!person) return undefined;
  return { accountId: id, claims: () => ({ sub: id, name: person.name, email: person.email, email_verified: true }) };
}

/** Choosing a person is consent enough. */
async function grantEverything({ oidc }: KoaContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

function renderError(context: KoaContext, out: { error: string; error_description?: string }): void {
  context.type = 'html';
  const reason = escapeMarkup(out.error_description ?? out.error);
  context.body = writeWindowPage({
    title: 'Practice sign-in',
    body: `<h1>Practice sign-in failed</h1>\n<p>${reason}</p>\n<p><a href="/login">Try again</a></p>`,
  });
}
