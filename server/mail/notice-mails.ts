import { limits } from '#contract/limits.ts';
import { pageRoutes } from '#contract/page-routes.ts';
import { mailDocument } from './mail-document.ts';
import type { Mail } from './mailer.ts';

export interface Sender {
  readonly archive: string;
  readonly publicUrl: string;
}

/** Tells an administrator that people wait. It says how many and not who: names and addresses are what strangers typed. */
export function signUpMail({ archive, publicUrl }: Sender, { to, waiting }: { to: string; waiting: number }): Mail {
  const subject = `${waiting === 1 ? '1 person waits' : `${waiting} people wait`} for activation in ${archive}`;
  const { text, html } = mailDocument({
    heading: subject,
    paragraphs: [`New accounts are promised to be activated within ${limits.activationPromiseHours} hours.`],
    link: { label: 'Look at who waits', address: `${publicUrl}${pageRoutes.admin}` },
    afterwards: 'This e-mail comes once an hour at most.',
  });
  return { to, subject, text, html };
}

/** Tells somebody that they may watch now. */
export function activationMail({ archive, publicUrl }: Sender, to: string): Mail {
  const subject = `Your account in ${archive} is active`;
  const { text, html } = mailDocument({
    heading: subject,
    paragraphs: ['You can now watch all of the archive.'],
    link: { label: 'Open the archive', address: `${publicUrl}${pageRoutes.home}` },
  });
  return { to, subject, text, html };
}
