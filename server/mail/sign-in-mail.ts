import { limits } from '#contract/limits.ts';
import { mailDocument } from './mail-document.ts';
import type { Mail } from './mailer.ts';

/** The e-mail with a sign-in link. The name that was entered stands in the link alone: whoever asks chooses both name and recipient. */
export function signInMail({ to, archive, address }: { to: string; archive: string; address: string }): Mail {
  const subject = `Your login link for ${archive}`;
  const { text, html } = mailDocument({
    heading: subject,
    paragraphs: [
      `Open this link on the device where you asked for it. It signs you in to ${archive} once, within ${limits.signInLinkLifetimeMinutes} minutes.`,
    ],
    link: { label: 'Sign in', address },
    afterwards: 'If you did not ask for it, do nothing: without this link nobody gets in by your address.',
  });
  return { to, subject, text, html };
}
