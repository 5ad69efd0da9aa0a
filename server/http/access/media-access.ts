import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { chooseCookieStyle } from '#domain/signin/cookie-style.ts';
import { signMediaCookie, type VideoClaims, verifyMediaCookie, verifyVideoToken } from '#domain/tokens/video-token.ts';
import type { Context } from '../../context.ts';
import { readPathText } from '../request-text.ts';
import type { Admitted } from './caller.ts';
import { setCdnCookies } from './cdn-cookies.ts';
import { readBearerToken } from './request-token.ts';
import { requireViewer } from './token-holder.ts';

/** Puts the cookie that opens one video's files, and nothing else, into the browser. */
export async function setMediaCookie(
  context: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  video: NonNullable<Admitted['video']>,
): Promise<void> {
  const { secure, name } = cookieOf(context, request);
  reply.setCookie(name, await signMediaCookie(context.secrets, video), {
    path: `/media/${video.videoId}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure,
    expires: video.expiresAt,
  });
  setCdnCookies(context, { request, reply }, video.videoId);
}

/** Lets in who holds the cookie of this video, or its token in the Authorization header. */
export async function requireMediaAccess(context: Context, request: FastifyRequest): Promise<Admitted> {
  const video = await claimsOf(context, request);
  const { sid, user } = await requireViewerSoon(context, video);
  if (video.videoId !== readPathText(request, 'id')) throw new Problem('forbidden', 'This cookie or token belongs to another video.');
  return { user, sid, callerId: sid, adminFields: false, video };
}

async function claimsOf(context: Context, request: FastifyRequest): Promise<NonNullable<Admitted['video']>> {
  if (request.headers.authorization) return await verifyVideoToken(context.secrets, readBearerToken(request));
  const cookie = request.cookies[cookieOf(context, request).name];
  if (!cookie) throw new Problem('unauthenticated', 'Open the player first: it gives this browser access to the video.');
  return await verifyMediaCookie(context.secrets, cookie);
}

function cookieOf({ config }: Context, request: FastifyRequest): { secure: boolean; name: string } {
  const { secure } = chooseCookieStyle(config.publicUrl, request.headers['user-agent'] ?? '');
  // A `__Host-` name would have to be sent to every path.
  return { secure, name: secure ? '__Secure-m' : 'm' };
}

const rememberedForMs = 4_000;
const rememberedMax = 10_000;
type Verdict = { readonly until: number; readonly session: ReturnType<typeof requireViewer> };
const remembered = new WeakMap<Context['pool'], Map<string, Verdict>>();

/** To be called when a user changed or a session ended: who is asked about next is looked up again. */
export function forgetViewers({ pool }: Pick<Context, 'pool'>): void {
  remembered.get(pool)?.clear();
}

/** A film is hundreds of small requests: the same question is asked of the database once in four seconds: nginx keeps an answer for up to five more. */
function requireViewerSoon(context: Context, claims: VideoClaims): ReturnType<typeof requireViewer> {
  const verdicts = remembered.get(context.pool) ?? new Map<string, Verdict>();
  remembered.set(context.pool, verdicts);
  const key = `${claims.sid} ${claims.uid} ${claims.authVersion}`;
  const known = verdicts.get(key);
  if (known && known.until > Date.now()) return known.session;
  if (verdicts.size >= rememberedMax) verdicts.clear();
  const session = requireViewer(context, claims);
  // A refusal, or a database that is away, is asked again at once.
  session.catch(() => verdicts.delete(key));
  verdicts.set(key, { until: Date.now() + rememberedForMs, session });
  return session;
}
