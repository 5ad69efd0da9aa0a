import { z } from 'zod';
import { until } from './until.ts';

const Mailbox = z.object({ mails: z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() })) });

/** The sign-in link that a practice archive sent most recently to this address. */
export async function linkSentTo(origin: string, email: string): Promise<string> {
  const mail = await until(async () => {
    const { mails } = Mailbox.parse(await (await fetch(`${origin}/practice/mailbox.json`)).json());
    return mails.find(({ to, text }) => to === email && text.includes('/login-email-link'));
  });
  return mail.text.match(/http\S+\/login-email-link\S+/)?.[0] ?? '';
}
