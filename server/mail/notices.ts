import { limits } from '#contract/limits.ts';
import { pageRoutes } from '#contract/page-routes.ts';
import { type SignUpNotice, tellOfActivations, tellOfSignUps } from '#domain/status/notices.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Context } from '../context.ts';
import { writeMailDocument } from './mail-document.ts';
import { AddressRefused, type Mail, type Mailer } from './mailer.ts';

export interface Notices {
  /** To be called when somebody may have signed up or been activated. */
  look(): void;
  stop(): Promise<void>;
}

const everyMs = 60_000;
const soonMs = 1_000;

/** Tells administrators of sign-ups and people of their activation by e-mail, soon after it happened; what failed is tried again. */
export function startNotices(context: Context): Notices {
  const { mail, log } = context;
  if (!mail) return { look: () => {}, stop: () => Promise.resolve() };
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const look = (afterMs: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const failed = (error: unknown) => log.warn('notices put off', { error });
      working = working.then(() => tellEverybody(context, mail, stopping.signal)).catch(failed);
    }, afterMs).unref();
  };
  const again = setInterval(() => look(0), everyMs).unref();
  return {
    look: () => look(soonMs),
    stop: async () => {
      clearInterval(again);
      clearTimeout(timer);
      stopping.abort();
      await working;
    },
  };
}

/** Tells whoever has something to hear, until it is told to stop; throws when an e-mail did not leave. */
export async function tellEverybody({ config, settings, pool, log }: Context, mail: Mailer, stop?: AbortSignal): Promise<void> {
  const sender = { archive: settings.name, publicUrl: config.publicUrl };
  /** An address that takes no mail is not tried again; whether this one took it. */
  const send = async (letter: Mail) => {
    try {
      await mail.send(letter, stop);
      return true;
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      log.warn('an address takes no mail', { to: letter.to, reason: errorMessageOf(error.cause) });
      return false;
    }
  };
  const tellAdmins = ({ waiting, to }: SignUpNotice) =>
    sendToAny(
      to.map((address) => signUpMail(sender, { to: address, waiting })),
      send,
    );
  const tellActivated = async (email: string) => void (await send(writeActivationMail(sender, email)));
  // Neither waits for what the other cannot send.
  const outcomes = await Promise.allSettled([
    config.mail.tellsOfSignUps ? tellOfSignUps(pool, tellAdmins) : undefined,
    config.mail.tellsOfActivations ? tellOfActivations(pool, tellActivated, stop) : undefined,
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Whether one administrator at least heard, which is enough; throws when none did and one may hear later. */
async function sendToAny(letters: readonly Mail[], send: (letter: Mail) => Promise<boolean>): Promise<boolean> {
  const outcomes = await Promise.allSettled(letters.map(send));
  if (outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value)) return true;
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return false;
}

interface Sender {
  readonly archive: string;
  readonly publicUrl: string;
}

/** Tells an administrator that people wait. It says how many and not who: names and addresses are what strangers typed. */
function signUpMail({ archive, publicUrl }: Sender, { to, waiting }: { to: string; waiting: number }): Mail {
  const subject = `${waiting === 1 ? '1 person is' : `${waiting} people are`} waiting for activation in ${archive}`;
  const { text, html } = writeMailDocument({
    heading: subject,
    paragraphs: [`The archive promises to activate new accounts within ${limits.activationPromiseHours} hours.`],
    link: { label: 'See who is waiting', address: `${publicUrl}${pageRoutes.admin}` },
    afterwards: 'You get this e-mail at most once an hour.',
  });
  return { to, subject, text, html };
}

/** Tells somebody that they may watch now. */
function writeActivationMail({ archive, publicUrl }: Sender, to: string): Mail {
  const subject = `Your account in ${archive} is active`;
  const { text, html } = writeMailDocument({
    heading: subject,
    paragraphs: ['You can now watch all of the archive.'],
    link: { label: 'Open the archive', address: `${publicUrl}${pageRoutes.home}` },
  });
  return { to, subject, text, html };
}
