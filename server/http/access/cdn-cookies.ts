import { sign } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import type { CdnSettings } from '../../cdn-settings.ts';

/**
 * The cookies by which a content delivery network hands out what lies below an address, from now on for as long as the limits say, in the form
 * of CloudFront with a policy of one's own: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-setting-signed-cookie-custom-policy.html
 */
export function cdnCookies({ keyPairId, privateKey }: CdnSettings, below: string): Readonly<Record<string, string>> {
  const until = Math.floor(Date.now() / 1_000) + limits.cdnCookieLifetimeSeconds;
  const statement = { Resource: `${below}*`, Condition: { DateLessThan: { 'AWS:EpochTime': until } } };
  const policy = Buffer.from(JSON.stringify({ Statement: [statement] }));
  return {
    'CloudFront-Policy': inCookie(policy),
    // The network takes RSA over SHA-1 where nothing else is said; what is signed is ours and holds for seconds.
    'CloudFront-Signature': inCookie(sign('sha1', policy, privateKey)),
    'CloudFront-Key-Pair-Id': keyPairId,
  };
}

/** Base64 with other letters for those that cookies and addresses do not take. */
function inCookie(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
}
