import { sign } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { chooseCookieStyle } from '#domain/signin/cookie-style.ts';
import type { VideoClaims } from '#domain/tokens/video-token.ts';
import type { CdnSettings } from '../../cdn-settings.ts';
import type { Context } from '../../context.ts';
import { requireViewer } from './token-holder.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Renews the cookies that a content delivery network reads, for whoever may watch at this moment: what this server remembers of it would hold too long. */
export async function renewCdnCookies(context: Context, exchange: Exchange, video: VideoClaims): Promise<void> {
  await requireViewer(context, video);
  setCdnCookies(context, exchange, video.videoId);
}

/** Puts the cookies into the browser by which a content delivery network, where there is one, hands out the film's segments for seconds. */
export function setCdnCookies(context: Context, { request, reply }: Exchange, videoId: string): void {
  const { cdn, publicUrl } = context.config;
  if (!cdn) return;
  const path = `/media/${videoId}/hls/`;
  const { secure } = chooseCookieStyle(publicUrl, request.headers['user-agent'] ?? '');
  const cookie = { path, httpOnly: true, sameSite: 'strict', secure, maxAge: limits.cdnCookieLifetimeSeconds, encode: String } as const;
  for (const [name, value] of Object.entries(makeCdnCookies(cdn, publicUrl + path))) reply.setCookie(name, value, cookie);
}

/**
 * The cookies by which a content delivery network hands out what lies below an address, from now on for as long as the limits say, in the form
 * of CloudFront with a policy of one's own: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-setting-signed-cookie-custom-policy.html
 */
function makeCdnCookies({ keyPairId, privateKey }: CdnSettings, below: string): Readonly<Record<string, string>> {
  const until = Math.floor(Date.now() / 1_000) + limits.cdnCookieLifetimeSeconds;
  const statement = { Resource: `${below}*`, Condition: { DateLessThan: { 'AWS:EpochTime': until } } };
  const policy = Buffer.from(JSON.stringify({ Statement: [statement] }));
  return {
    'CloudFront-Policy': encodeForCookie(policy),
    // The network takes RSA over SHA-1 where nothing else is said; what is signed is ours and holds for seconds.
    'CloudFront-Signature': encodeForCookie(sign('sha1', policy, privateKey)),
    'CloudFront-Key-Pair-Id': keyPairId,
  };
}

/** Base64 with other letters for those that cookies and addresses do not take. */
function encodeForCookie(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
}
