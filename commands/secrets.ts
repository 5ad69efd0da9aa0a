import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { openArchive } from '#domain/archive/open-archive.ts';
import type { Pool } from '#domain/db/database.ts';
import { createOnce } from '#domain/system/durable-file.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import { replaceSecrets, rotateSigningKey, type SealingKey, takeOutSecrets } from '#domain/tokens/sealed-secrets.ts';
import { readConfig } from '#server/config.ts';
import { checkDataFolder, toDatabaseFault } from '#server/start-checks.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run secrets -- new-key        prints a key for RUSHES_SECRETS_KEY
       npm run secrets -- rotate         makes a new signing key; the one before opens what it has signed
       npm run secrets -- replace        makes all secrets new, because they or their key were lost or told
       npm run secrets -- take-out FILE  takes them out of the database, into a file for RUSHES_SECRETS`;

await runCommand(() => run(process.argv.slice(2)));

/** Works beside running servers as well as alone. Returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const [verb, file] = args;
  if (verb === 'new-key' && args.length === 1) {
    print(randomBytes(32).toString('base64url'));
    return 0;
  }
  if (verb === 'rotate' && args.length === 1) return await change(rotate);
  if (verb === 'replace' && args.length === 1) return await change(replace);
  if (verb === 'take-out' && file && args.length === 2) return await change((pool, key) => takeOut(pool, key, resolve(file)));
  log(usage);
  return 1;
}

async function change(work: (pool: Pool, key: SealingKey) => Promise<void>): Promise<number> {
  const config = readConfig();
  if (!config.secretsKey)
    throw new OperatorFault('RUSHES_SECRETS_KEY is not set: this is about secrets that lie in the database, sealed by it.');
  checkDataFolder(config.dataFolder);
  const database = await openArchive(config, { maxConnections: 1 }).catch((error: unknown) => {
    throw toDatabaseFault(config.databaseUrl, error);
  });
  try {
    await work(database.pool, config.secretsKey);
    return 0;
  } finally {
    await database.close();
  }
}

async function rotate(pool: Pool, key: SealingKey): Promise<void> {
  log('Every server is told of the new key before it signs: this takes half a minute.');
  await rotateSigningKey(pool, key);
  print('A new key signs from now on. The one before opens what it has signed for two hours more: rotate again no sooner.');
}

async function replace(pool: Pool, key: SealingKey): Promise<void> {
  await replaceSecrets(pool, key);
  print('All secrets are new. Whoever is signed in stays so.');
  print('Restart every server that serves pages now: one that was started with another RUSHES_SECRETS_KEY goes on with the old secrets.');
}

async function takeOut(pool: Pool, key: SealingKey, file: string): Promise<void> {
  await takeOutSecrets(pool, key, (text) => {
    if (createOnce(file, text) !== text) throw new OperatorFault(`${file} is there already: name one that is not.`);
  });
  print(`The secrets are in ${file}, and no longer in the database. Servers go on with what they know.`);
  print('Put the file where RUSHES_SECRETS of every machine finds it, take RUSHES_SECRETS_KEY away or set another, and start them again.');
}
