import { startTestMailbox, type TestMailbox } from './test-mailbox.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { withoutLimits } from './without-limits.ts';

export interface MailingServer {
  readonly server: TestServer;
  readonly origin: string;
  readonly mailbox: TestMailbox;
  stop(): Promise<void>;
}

/** The whole application, listening, with a mail server that keeps what it sends. `env` is what an operator would set besides. */
export async function startMailingServer(env: Record<string, string>): Promise<MailingServer> {
  const mailbox = await startTestMailbox();
  const server = await startTestServer({ ...withoutLimits, SMTP_URL: mailbox.url, ...env });
  const stop = async () => {
    await server.stop();
    await mailbox.stop();
  };
  return { server, origin: await server.listen(), mailbox, stop };
}
