import type { FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { safeReturnUrl } from '#contract/return-url.ts';
import { networkOf } from '#domain/networks/network-of.ts';
import { orderSignInLink } from '#domain/signin/order-sign-in-link.ts';
import { signInByLink } from '#domain/signin/sign-in-by-link.ts';
import { withdrawSignInLink } from '#domain/signin/sign-in-links.ts';
import { parseDisplayName } from '#domain/users/display-name.ts';
import { parseEmail } from '#domain/users/email.ts';
import type { Context } from '../context.ts';
import { refuseOtherPages } from '../http/access/practice-visitor.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { visitOf } from '../http/access/visit.ts';
import { type Site, serve } from '../http/serve.ts';
import { AddressRefused, type Mail } from '../mail/mailer.ts';
import { signInLinkAddress } from '../mail/sign-in-link-address.ts';
import { signInMail } from '../mail/sign-in-mail.ts';

const linksPerAddress = 3;

/** Signing in by a link in an e-mail: asking for it, and spending it. */
export function emailSignInRoutes(site: Site): void {
  const { context } = site;

  serve(site, endpoints.sendSignInLink, async (input, _caller, { request, reply }) => {
    if (!context.mail) throw new Problem('unavailable', 'This archive sends no e-mail. Sign in another way.');
    const email = readEmail(input.email);
    const name = readName(input.displayName);
    const visitor = { email, name, network: networkOf(request.ip) };
    const link = await orderSignInLink(context.pool, visitor, { perAddress: linksPerAddress, ...context.config.signInLinks });
    await (link ? sendLink(context, request, { ...link, email, name, returnUrl: safeReturnUrl(input.returnUrl) }) : pretendToSend(context));
    reply.code(202);
    return {};
  });

  serve(site, endpoints.signInLink, async ({ token, email }, { sid }, exchange) => {
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
      throw new Problem('invalid_email', 'The mail server does not take this address. Check it, or use another one.', { cause });
    throw notSent(cause);
  });
}

/** Nobody learns that an address has had its share: the answer takes the same way, and fails where the other would. */
async function pretendToSend({ mail }: Context): Promise<void> {
  await mail?.pretend().catch((cause: unknown) => {
    throw notSent(cause);
  });
}

function notSent(cause: unknown): Problem {
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
    `Enter a name with a letter or a digit in it, of at most ${limits.displayNameMaxCodePoints} characters.`,
  );
}
