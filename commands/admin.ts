import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import { parseEmail } from '#domain/users/email.ts';
import { grantAdmin } from '#domain/users/roles.ts';
import { type Config, ConfigFault, readConfig } from '#server/config.ts';
import { signInLinkAddress } from '#server/mail/sign-in-mail.ts';
import { checkDataFolder, databaseFault } from '#server/start-checks.ts';
import { StartFault } from '#server/start-fault.ts';

const usage =
  'Usage: npm run admin -- EMAIL [--trust]\nMakes the person with this address an administrator and prints a link that signs them in once.';
const howToTrust = 'If you know that it was the right person, add --trust.';

process.exitCode = await main(process.argv.slice(2));

/** Works beside a running server as well as alone; the exit code comes back. */
async function main(args: readonly string[]): Promise<number> {
  const addresses = args.filter((arg) => arg !== '--trust');
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) return fail(usage);
  if (!parseEmail(address)) return fail(`${JSON.stringify(address)} is not an e-mail address.\n${usage}`);
  try {
    await promote(readConfig(), { address, trustsUnproved: args.includes('--trust') });
    return 0;
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return fail(`${error.message} ${howToTrust}`);
    if (!(error instanceof ConfigFault || error instanceof StartFault)) throw error;
    return fail(error.message);
  }
}

async function promote(config: Config, { address, trustsUnproved }: { address: string; trustsUnproved: boolean }): Promise<void> {
  const { dataFolder, databaseUrl } = config;
  checkDataFolder(dataFolder);
  const database = await openArchive(config, { maxConnections: 1 }).catch((error: unknown) => {
    throw databaseFault(databaseUrl, error);
  });
  try {
    const { email, isNew } = await grantAdmin(database.pool, address, { trustsUnproved });
    const { token } = await createSignInLink(database.pool, { email, name: '', network: '' });
    process.stdout.write(`${email} is an administrator${isNew ? ' (a new account)' : ''}.\n`);
    process.stdout.write(`This is the archive of ${databaseUrl ? 'DATABASE_URL' : dataFolder}.\n`);
    process.stdout.write(`This link asks for that address and signs them in once, within ${limits.signInLinkLifetimeMinutes} minutes:\n`);
    process.stdout.write(`${signInLinkAddress(config.publicUrl, { token })}\n`);
  } finally {
    await database.close();
  }
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
