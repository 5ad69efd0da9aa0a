import type { Config } from '../config.ts';
import { createMailbox, type Mailbox } from '../practice/mailbox.ts';
import type { Mailer } from './mailer.ts';
import { openSmtpMailer } from './smtp-mailer.ts';

/** How e-mail leaves: by the mail server of the settings; without one a practice archive keeps it, and any other sends none. */
export function openMailer(config: Config, archive: string): { mail: Mailer | null; mailbox: Mailbox | null } {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl) return { mail: openSmtpMailer({ smtpUrl, from: { name: archive, address: from } }), mailbox: null };
  const mailbox = config.practice ? createMailbox() : null;
  return { mail: mailbox, mailbox };
}
