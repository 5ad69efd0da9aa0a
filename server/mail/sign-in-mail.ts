import { limits, serverLimits } from '#contract/limits.ts';
import { pageRoutes } from '#contract/page-routes.ts';
import { writeMailDocument } from './mail-document.ts';
import type { Mail } from './mailer.ts';

/** The e-mail with a sign-in link. The name that was entered stands in the link alone: whoever asks chooses both name and recipient. */
export function signInMail({ to, archive, address }: { to: string; archive: string; address: string }): Mail {
  const subject = `Your login link for ${archive}`;
  const { text, html } = writeMailDocument({
    heading: subject,
    paragraphs: [
      `Open this link on the device where you asked for it to sign in to ${archive}. It works once, within ${limits.signInLinkLifetimeMinutes} minutes.`,
    ],
    link: { label: 'Sign in', address },
    afterwards: 'If you did not ask for this link, ignore this e-mail. Nobody can sign in as you without it.',
  });
  return { to, subject, text, html };
}

interface LinkParts {
  readonly token: string;
  /** Left out when empty. */
  readonly name?: string;
  /** Left out when it is the home page, or too long. */
  readonly returnUrl?: string;
}

/** The address of a sign-in link. Opening it spends nothing. */
export function signInLinkAddress(origin: string, { token, name = '', returnUrl = pageRoutes.home }: LinkParts): string {
  const parts = [`token=${token}`];
  if (name !== '') parts.push(`displayname=${encodePercent(name)}`);
  const wayBack = encodeURIComponent(returnUrl);
  if (returnUrl !== pageRoutes.home && wayBack.length <= serverLimits.returnUrlMaxCharacters) parts.push(`returnUrl=${wayBack}`);
  return `${origin}${pageRoutes.loginEmailLink}?${parts.join('&')}`;
}

/** Every byte but letters and digits as `%XX`: programs that look for links in a text end none of them early, and none reads as a word. */
function encodePercent(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
