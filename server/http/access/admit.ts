/*
 * Who gets in: admit answers a route's need, visit tells who a request is from, the others read tokens and cookies.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { can, type Permission } from '#contract/roles.ts';
import type { Route } from '#contract/route.ts';
import { isLoopbackAddress } from '#domain/signin/is-loopback.ts';
import { openSessionByKey } from '#domain/signin/keys.ts';
import { hasSessionPermission } from '#domain/signin/session-permits.ts';
import { findSessionById } from '#domain/signin/sessions.ts';
import { verifyAccountToken } from '#domain/tokens/account-token.ts';
import { verifyVideoToken } from '#domain/tokens/video-token.ts';
import type { Context } from '../../context.ts';
import { VideoServiceProblem } from '../../video-service/video-service-problem.ts';
import { isThisMachine } from '../allowed-hosts.ts';
import { readPathText } from '../request-text.ts';
import { type Admitted, type Caller, findCaller } from './caller.ts';
import { requireMediaAccess } from './media-access.ts';
import { proxyHeaderOf } from './practice-visitor.ts';
import { requestToken } from './request-token.ts';
import { requireViewer } from './token-holder.ts';

/** Finds out who asks and whether they may; throws `unauthenticated`, `token_expired` or `forbidden` when not. */
export async function admit(context: Context, need: Route['need'], request: FastifyRequest): Promise<Admitted> {
  switch (need) {
    case 'guest':
      return findCaller(context, request);
    case 'signed-in':
      return signedIn(context, request);
    case 'view':
    case 'edit':
    case 'admin':
      return requirePermission(await signedIn(context, request), need);
    case 'account-token':
      return admitAccountHolder(context, requestToken(request));
    case 'records-token':
      return admitRecordsHolder(context, requestToken(request));
    case 'video-token':
      return admitVideoHolder(context, request);
    case 'account-or-video-token':
      return admitAccountOrVideoHolder(context, request);
    case 'media-cookie':
      return requireMediaAccess(context, request);
    case 'key':
      return admitKeyHolder(context, request);
    case 'edit-token':
      return admitEditHolder(context, requestToken(request));
    case 'video-or-edit-token':
      return admitVideoOrEditHolder(context, request);
    case 'operator':
      return admitProgram(context, request);
  }
}

/** A program has no session and no browser. */
function admitProgram({ config }: Context, request: FastifyRequest): Admitted {
  if (isOperatorsProgram(request, config.metricsToken)) return { user: null, sid: null, callerId: '', adminFields: false };
  throw new Problem('forbidden', 'Only programs on the archive’s own machine, or with RUSHES_METRICS_TOKEN, may read this.');
}

/**
 * Whether a program of the operator's asks: with their token, or from this machine by its own name and past no proxy, which would bring
 * everybody in from this machine. One that says nothing of itself speaks HTTP/1.0, as nginx does unless it is told otherwise.
 */
function isOperatorsProgram({ headers, socket, raw }: FastifyRequest, metricsToken: string | undefined): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (given !== undefined) return metricsToken !== undefined && isSame(given, metricsToken);
  if (proxyHeaderOf(headers) !== undefined || raw.httpVersion === '1.0') return false;
  return isThisMachine(headers.host) && isLoopbackAddress(socket.remoteAddress ?? '');
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function signedIn(context: Context, request: FastifyRequest): Promise<Caller> {
  const caller = await findCaller(context, request);
  if (!caller.user) throw new Problem('unauthenticated', 'Sign in first.');
  return caller;
}

function requirePermission(caller: Caller, permission: Permission): Caller {
  if (!can(caller.user?.roles, permission))
    throw new Problem('forbidden', `You need permission to ${permission}. An administrator can grant it.`);
  return caller;
}

/** Guests hold account tokens too; the fields of administrators are shown only while their session lives and they are one. */
async function admitAccountHolder(context: Context, token: string): Promise<Admitted> {
  const claims = await verifyAccountToken(context.secrets, token);
  const adminFields = claims.adminFields && claims.sid !== undefined && (await hasSessionPermission(context.pool, claims.sid, 'admin'));
  return { user: null, sid: claims.sid ?? null, callerId: claims.caller, adminFields };
}

async function admitRecordsHolder(context: Context, token: string): Promise<Admitted> {
  if (await isEditToken(context, token)) return admitEditHolder(context, token);
  const holder = await admitAccountHolder(context, token);
  if (!holder.adminFields)
    throw new Problem('forbidden', 'This needs an administrator’s account token, or a key exchanged for one with allowEdit=true.');
  return holder;
}

async function admitVideoHolder(context: Context, request: FastifyRequest): Promise<Admitted> {
  const video = await verifyVideoToken(context.secrets, requestToken(request));
  const { user, sid } = await requireViewer(context, video);
  if (video.videoId !== readPathText(request, 'id')) throw new Problem('forbidden', 'This token belongs to another video.');
  return { user, sid, callerId: sid, adminFields: false, video };
}

async function admitAccountOrVideoHolder(context: Context, request: FastifyRequest): Promise<Admitted> {
  const token = requestToken(request);
  try {
    return await admitAccountHolder(context, token);
  } catch (error) {
    // "Forbidden" says that it is a living video token.
    if (error instanceof Problem && error.code === 'forbidden') return admitVideoHolder(context, request);
    throw error;
  }
}

/** Keys stand in a header alone: addresses are written to logs. */
const keyHeader = 'ocp-apim-subscription-key';

async function admitKeyHolder({ pool }: Context, { headers }: FastifyRequest): Promise<Admitted> {
  const key = headers[keyHeader];
  if (typeof key !== 'string') throw makeKeyProblem('This call needs a key, as Ocp-Apim-Subscription-Key in its header.');
  const session = await openSessionByKey(pool, key);
  if (!session) throw makeKeyProblem('This key is not valid, or no longer. Create one on your account page.');
  return requirePermission({ ...session, callerId: session.user.uid, adminFields: false }, 'edit');
}

function makeKeyProblem(message: string): VideoServiceProblem {
  return new VideoServiceProblem('unauthenticated', 'INVALID_AUTH_SUBSCRIPTION_KEY', message);
}

async function admitEditHolder(context: Context, token: string): Promise<Admitted> {
  const { mayEdit, caller, sid } = await verifyAccountToken(context.secrets, token);
  if (!mayEdit || sid === undefined)
    throw new Problem('forbidden', 'This needs an edit token: exchange a key for one with allowEdit=true.');
  const session = await findSessionById(context.pool, { sid, uid: caller });
  if (!session) throw new Problem('unauthenticated', 'The key of this access token was revoked, or its session has ended.');
  return requirePermission({ ...session, callerId: caller, adminFields: false }, 'edit');
}

async function admitVideoOrEditHolder(context: Context, request: FastifyRequest): Promise<Admitted> {
  try {
    return await admitVideoHolder(context, request);
  } catch (error) {
    // "Forbidden" says that it is a living account token, or a video token that opens nothing here.
    if (!(error instanceof Problem) || error.code !== 'forbidden') throw error;
    const token = requestToken(request);
    if (!(await isEditToken(context, token))) throw error;
    return await admitEditHolder(context, token);
  }
}

async function isEditToken({ secrets }: Context, token: string): Promise<boolean> {
  return await verifyAccountToken(secrets, token).then(
    ({ mayEdit }) => mayEdit === true,
    () => false,
  );
}
