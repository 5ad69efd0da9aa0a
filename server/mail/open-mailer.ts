/*
 * E-mail: how it leaves (here), how it looks (mail-document), and what is sent: sign-in links, notices, alerts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import { inTime } from '#domain/scheduling/in-time.ts';
import { isLoopback } from '#domain/signin/is-loopback.ts';
import { parseEmail } from '#domain/users/email.ts';
import type { Config } from '../config.ts';
import { AddressRefused, type Mail, type Mailer } from './mailer.ts';
import { createMailbox, type Mailbox } from './practice-mailbox.ts';

/** How e-mail leaves: by the mail server of the settings; without one a practice archive keeps it, and any other sends none. */
export function openMailer(config: Config, archive: string): { mail: Mailer | null; mailbox: Mailbox | null } {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl) return { mail: openSmtpMailer({ smtpUrl, from: { name: archive, address: from } }), mailbox: null };
  const mailbox = config.practice ? createMailbox() : null;
  return { mail: mailbox, mailbox };
}

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password when the server wants them. */
  readonly smtpUrl: string;
  readonly from: { readonly name: string; readonly address: string };
  /** How long the server may take in all for an e-mail, or to be looked at. */
  readonly withinMs?: number;
}

/** E-mail by a mail server. The library behind it is loaded, and the server connected to, when the first e-mail goes out. */
export function openSmtpMailer({ smtpUrl, from, withinMs = serverLimits.mailSentWithinMs }: SmtpOptions): Mailer {
  let opening: ReturnType<typeof openTransport> | undefined;
  const transport = () => {
    opening ??= openTransport(smtpUrl);
    return opening;
  };
  /** How long the last e-mail took, unless the server was away. */
  let lastMs: number | undefined;
  return {
    send: async (mail, stop) => {
      const message = messageOf(mail, from);
      const begunAt = performance.now();
      const signal = AbortSignal.any([AbortSignal.timeout(withinMs), ...(stop ? [stop] : [])]);
      await (await transport()).sendMail({ ...message, signal }).catch((error: unknown) => {
        if (isRefusal(error)) throw new AddressRefused({ cause: error });
        lastMs = undefined;
        throw toReadable(error, smtpUrl);
      });
      lastMs = performance.now() - begunAt;
    },
    pretend: async () => {
      if (lastMs !== undefined) await wait(lastMs);
      else
        await atMost(withinMs, (await transport()).verify()).catch((error: unknown) => {
          throw toReadable(error, smtpUrl);
        });
    },
    close: () => void opening?.then((open) => open.close()),
  };
}

/** The library itself waits for as long as a server goes on talking. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await inTime(work, ms, 'the mail server takes too long');
}

async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ pool: true, maxConnections: 2, maxRequeues: 0, ...serverOf(new URL(smtpUrl)) });
}

function serverOf({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : undefined,
    secure,
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
    // Sign-in links and passwords go over no open wire; on this machine there is none, and relays here rarely hold a certificate that anybody knows.
    requireTLS: !secure && !isLoopback(hostname),
    ignoreTLS: isLoopback(hostname),
    connectionTimeout: serverLimits.mailServerAnswersWithinMs,
    greetingTimeout: serverLimits.mailServerAnswersWithinMs,
    dnsTimeout: serverLimits.mailServerAnswersWithinMs,
    socketTimeout: serverLimits.mailSentWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The recipient is written twice, in the envelope and in the header, and never as text that a mail library would take apart. */
function messageOf({ to, subject, text, html }: Mail, from: SmtpOptions['from']) {
  if (parseEmail(to) !== to) throw new Error('an e-mail goes to one plain address only');
  return {
    envelope: { from: from.address, to: [to] },
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  };
}

/** Whether the server does not take the recipient. Some say only there that it is the sender, or this machine, that they do not take. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('command' in error) || !('responseCode' in error)) return false;
  if (error.command !== 'RCPT TO' || typeof error.responseCode !== 'number') return false;
  return error.responseCode >= 550 && error.responseCode <= 553 && !/\b5\.1\.[78]\b|\bsender\b|\brelay/i.test(error.message);
}

/** A server that offers no TLS, or one with a certificate of somebody else, in words for who runs the archive; all else as it is. */
function toReadable(error: unknown, smtpUrl: string): unknown {
  if (!(error instanceof Error)) return error;
  const { host } = new URL(smtpUrl);
  const code = 'code' in error ? String(error.code) : '';
  const isCertificate = /certificate|altnames/i.test(error.message);
  if (code !== 'ETLS' && !isCertificate) return error;
  const what = isCertificate ? `has no trusted certificate for its name (${error.message})` : 'offers no TLS';
  const wayOut = 'Have it fixed there, or set SMTP_URL to another server.';
  return new Error(`Nothing was sent: the mail server ${host} ${what}, and e-mail is only sent over an encrypted connection. ${wayOut}`, {
    cause: error,
  });
}
