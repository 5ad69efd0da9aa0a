import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import { parseEmail } from '#domain/users/email.ts';
import { grantAdmin } from '#domain/users/roles.ts';
import { type Config, readConfig } from '#server/config.ts';
import { signInLinkAddress } from '#server/mail/sign-in-mail.ts';
import { checkDataFolder, toDatabaseFault } from '#server/start-checks.ts';
import { log, print, runCommand } from './run-command.ts';

const usage =
  'Usage: npm run admin -- EMAIL [--trust]\nMakes the person with this address an administrator and prints a link that signs them in once.';
const howToTrust = 'If you know that it was the right person, add --trust.';

await runCommand(() => run(process.argv.slice(2)));

/** Works beside a running server as well as alone. Returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const addresses = args.filter((arg) => arg !== '--trust');
  const [address] = addresses;
  const isOne = address !== undefined && addresses.length === 1;
  if (!isOne || !parseEmail(address)) {
    log(isOne ? `${JSON.stringify(address)} is not an e-mail address.\n${usage}` : usage);
    return 1;
  }
  await promote(readConfig(), { address, trustsUnproved: args.includes('--trust') }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'conflict' ? new Error(`${error.message} ${howToTrust}`, { cause: error }) : error;
  });
  return 0;
}

async function promote(config: Config, { address, trustsUnproved }: { address: string; trustsUnproved: boolean }): Promise<void> {
  const { dataFolder, databaseUrl } = config;
  checkDataFolder(dataFolder);
  const database = await openArchive(config, { maxConnections: 1 }).catch((error: unknown) => {
    throw toDatabaseFault(databaseUrl, error);
  });
  try {
    const { email, isNew } = await grantAdmin(database.pool, address, { trustsUnproved });
    const { token } = await createSignInLink(database.pool, { email, name: '', network: '' });
    print(`${email} is an administrator${isNew ? ' (a new account)' : ''}.`);
    print(`This is the archive of ${databaseUrl ? 'DATABASE_URL' : dataFolder}.`);
    print(`This link asks for that address and signs them in once, within ${limits.signInLinkLifetimeMinutes} minutes:`);
    print(`${signInLinkAddress(config.publicUrl, { token })}`);
  } finally {
    await database.close();
  }
}
