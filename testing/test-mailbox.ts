import { once } from 'node:events';
import { domainToASCII } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { openSmtpMailer } from '#server/mail/open-mailer.ts';
import { until } from './until.ts';

/** An e-mail as a mail server received it. */
interface ReceivedMail {
  readonly from: string;
  /** Recipients of the envelope: who gets it, whatever its headers say. */
  readonly to: readonly string[];
  readonly raw: string;
}

export interface TestMailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** What the server does with the next e-mails: takes them, refuses their recipients or their sender for good, is too busy, or never answers. */
  mode: 'takes' | 'refuses' | 'refuses the sender' | 'refuses the sender late' | 'busy' | 'hangs';
  /** How many e-mails were left without an answer. */
  readonly hanging: number;
  /** How long it takes over each e-mail. */
  takesMs: number;
  /** Addresses that it refuses for good at any time. */
  readonly dead: Set<string>;
  /** The most recent e-mail to this address, when it has come. */
  lastTo(address: string): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** A real mail server on this machine that keeps what it is given; with `tls` it offers STARTTLS. */
export async function startTestMailbox({
  host = '127.0.0.1',
  tls,
}: {
  host?: string;
  tls?: { key: string; cert: string };
} = {}): Promise<TestMailbox> {
  const mails: ReceivedMail[] = [];
  const dead = new Set<string>();
  const state: Pick<TestMailbox, 'mode' | 'takesMs'> & { hanging: number } = { mode: 'takes', takesMs: 0, hanging: 0 };
  const server = new SMTPServer({
    ...tls,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) => done(state.mode === 'refuses the sender' ? refusals[state.mode] : null),
    onRcptTo: ({ address }, _session, done) => {
      if (state.mode === 'hangs') {
        state.hanging += 1;
        return;
      }
      done(refusals[dead.has(address) ? 'refuses' : state.mode]);
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => inAscii(address)), raw: Buffer.concat(chunks).toString('utf8') });
        setTimeout(done, state.takesMs);
      });
    },
  });
  // A client that goes away in the middle is no fault of the tests.
  server.on('error', () => {});
  const listening = server.listen(0, host);
  if (!listening.listening) await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://${host}:${port}`,
    mails,
    dead,
    get hanging() {
      return state.hanging;
    },
    get takesMs() {
      return state.takesMs;
    },
    set takesMs(ms) {
      state.takesMs = ms;
    },
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    lastTo: (to) => until(() => mails.findLast((mail) => mail.to.includes(to)), { withinMs: 10_000 }),
    stop: () => new Promise((done) => void server.close(() => done())),
  };
}

const refusals = {
  takes: null,
  hangs: null,
  refuses: refusal(550, 'No such mailbox'),
  'refuses the sender': refusal(553, '5.7.1 Sender address rejected: not owned by user'),
  // As Postfix does unless it is told otherwise.
  'refuses the sender late': refusal(550, '5.1.8 <no-reply@archive.example>: Sender address rejected: Domain not found'),
  busy: refusal(451, 'Try again later'),
} as const;

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

/** Sends an e-mail that hangs at this server from now on: nothing but the time that every e-mail has ends it, unless `leave` does. */
export async function hangFirst(mailbox: TestMailbox) {
  const leaving = new AbortController();
  const mailer = openSmtpMailer({ smtpUrl: mailbox.url, from: { name: 'First', address: 'first@archive.example' } });
  const before = mailbox.hanging;
  const mail = { to: 'first@people.example', subject: 'First', text: 'First', html: 'First' };
  const givenUp = mailer.send(mail, leaving.signal).catch(() => 'given up');
  await until(() => mailbox.hanging > before);
  const leave = () => {
    leaving.abort();
    mailer.close();
  };
  return { givenUp, leave, hasFollowers: () => mailbox.hanging > before + 1 };
}

/** The library reads punycode for us; what was sent is what we want to see. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
