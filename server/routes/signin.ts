import type { FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { toSafeReturnUrl } from '#contract/page-routes.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import { networkOf } from '#domain/networks/network-of.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { orderSignInLink, signInByLink, withdrawSignInLink } from '#domain/signin/sign-in-links.ts';
import { parseDisplayName } from '#domain/users/display-name.ts';
import { parseEmail } from '#domain/users/email.ts';
import type { Context } from '../context.ts';
import { refuseOtherPages } from '../http/access/practice-visitor.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { visitOf } from '../http/access/visit.ts';
import { readPathText, readQueryText } from '../http/request-text.ts';
import { type Exchange, type RouteHost, serve, serveRaw } from '../http/serve.ts';
import { AddressRefused, type Mail } from '../mail/mailer.ts';
import { signInLinkAddress, signInMail } from '../mail/sign-in-mail.ts';
import { readWindowFiles, writePopupDonePage } from '../sign-in-window/window-page.ts';

const popupDone = routes.popupDone.path;

/** To a provider and back, in a window of its own or in the whole page. */
export function addSignInRoutes(host: RouteHost): void {
  const { context } = host;
  const files = readWindowFiles();

  serveRaw(host, routes.popupSignIn, (_caller, { request, reply }) =>
    leave(context, { request, reply }, { provider: readQueryText(request, 'provider'), done: popupDone, failed: popupDone }),
  );

  serveRaw(host, routes.redirectSignIn, (_caller, { request, reply }) => {
    const returnUrl = toSafeReturnUrl(readQueryText(request, 'returnUrl'));
    const failed = `/login?${new URLSearchParams({ returnUrl })}`;
    return leave(context, { request, reply }, { provider: readQueryText(request, 'provider'), done: returnUrl, failed });
  });

  serveRaw(host, routes.signInCallback, async ({ sid }, { request, reply }) => {
    // A link checker that looks ahead must not spend the code.
    if (request.method === 'HEAD') return reply.send();
    const callback = {
      provider: readPathText(request, 'provider'),
      query: request.url.split('?')[1] ?? '',
      cookie: request.headers.cookie ?? '',
    };
    const visit = visitOf(context, request);
    const { location, cookies, hasSignedIn } = await context.signIn.finish(visit, callback).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      return { location: withError(new URL(popupDone, visit.origin), 'busy'), cookies: [], hasSignedIn: false };
    });
    // Whoever signs in anew in this browser leaves the session before behind.
    if (hasSignedIn && sid) await endSession(context.pool, sid);
    return reply.headers({ 'set-cookie': cookies, 'referrer-policy': 'no-referrer' }).redirect(location, 302);
  });

  serveRaw(host, routes.popupDone, (_caller, { request, reply }) => {
    const error = readQueryText(request, 'error');
    return reply
      .code(error ? 400 : 200)
      .type('text/html; charset=utf-8')
      .send(writePopupDonePage(error));
  });

  serveRaw(host, routes.signInFile, (_caller, { request, reply }) => {
    const file = files.get(readPathText(request, 'name'));
    if (!file) throw new Problem('not_found', 'There is no such file.');
    return reply.type(file.type).header('cache-control', 'no-cache').send(file.body);
  });
}

async function leave(
  context: Context,
  { request, reply }: Exchange,
  to: { provider: string; done: string; failed: string },
): Promise<FastifyReply> {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw new Problem('forbidden', 'Start signing in from this archive’s own pages.');
  const visit = visitOf(context, request);
  const { location, cookies } = await context.signIn.start(visit, to).catch((error: unknown) => {
    const isProviderAway = error instanceof Problem && error.code === 'unavailable';
    if (!isProviderAway && !isDatabaseAway(error)) throw error;
    // Told where a person is looking, in the window or on the login page.
    return { location: withError(new URL(to.failed, visit.origin), isProviderAway ? 'temporarily_unavailable' : 'busy'), cookies: [] };
  });
  return reply.headers({ 'set-cookie': cookies, 'referrer-policy': 'no-referrer' }).redirect(location, 302);
}

function withError(address: URL, error: string): string {
  address.searchParams.set('error', error);
  return address.href;
}

/** Signing in by a link in an e-mail: asking for it, and spending it. */
export function addEmailSignInRoutes(host: RouteHost): void {
  const { context } = host;

  serve(host, endpoints.sendSignInLink, async (input, _caller, { request, reply }) => {
    if (!context.mail) throw new Problem('unavailable', 'This archive sends no e-mail. Sign in another way.');
    const email = readEmail(input.email);
    const name = readName(input.displayName);
    const visitor = { email, name, network: networkOf(request.ip) };
    const link = await orderSignInLink(context.pool, visitor, {
      perAddress: serverLimits.signInLinksPerAddress,
      ...context.config.signInLinks,
    });
    await (link
      ? sendLink(context, request, { ...link, email, name, returnUrl: toSafeReturnUrl(input.returnUrl) })
      : pretendToSend(context));
    reply.code(202);
    return {};
  });

  serve(host, endpoints.signInLink, async ({ token, email }, { sid }, exchange) => {
    // Whoever reads the practice mailbox has everybody's links.
    if (context.config.practice) refuseOtherPages(exchange.request);
    const { headers, ip } = exchange.request;
    const userAgent = headers['user-agent'] ?? '';
    const { secret } = await signInByLink(context.pool, { token, address: email, sid, userAgent, from: ip });
    setSessionCookie(context, exchange, secret);
    return {};
  });
}

interface NewLink {
  readonly token: string;
  readonly email: string;
  readonly name: string;
  readonly returnUrl: string;
}

/** A link that was not sent counts for nobody. */
async function sendLink(context: Context, request: FastifyRequest, { email, ...parts }: NewLink): Promise<void> {
  const address = signInLinkAddress(visitOf(context, request).origin, parts);
  await send(context, signInMail({ to: email, archive: context.settings.name, address })).catch(async (problem: unknown) => {
    await withdrawSignInLink(context.pool, parts.token);
    throw problem;
  });
}

async function send({ mail }: Context, letter: Mail): Promise<void> {
  await mail?.send(letter).catch((cause: unknown) => {
    if (cause instanceof AddressRefused)
      throw new Problem('invalid_email', 'The mail server does not accept this address. Check it, or use another one.', { cause });
    throw makeNotSentProblem(cause);
  });
}

/** Nobody learns that an address has had its share: the answer takes the same way, and fails where the other would. */
async function pretendToSend({ mail }: Context): Promise<void> {
  await mail?.pretend().catch((cause: unknown) => {
    throw makeNotSentProblem(cause);
  });
}

function makeNotSentProblem(cause: unknown): Problem {
  return new Problem('unavailable', 'The email could not be sent. Try again in a few minutes, or sign in another way.', {
    cause,
    retryAfterSeconds: 60,
  });
}

function readEmail(text: unknown): string {
  const email = typeof text === 'string' ? parseEmail(text) : null;
  if (!email) throw new Problem('invalid_email', 'The email address is badly formatted.');
  return email;
}

function readName(text: unknown): string {
  const name = typeof text === 'string' ? parseDisplayName(text) : null;
  if (name) return name;
  throw new Problem(
    'invalid_parameter',
    `Enter a name with at least one letter or digit and at most ${limits.displayNameMaxCodePoints} characters.`,
    { parameter: 'displayName' },
  );
}
