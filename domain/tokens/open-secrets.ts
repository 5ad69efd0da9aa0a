import type { Pool } from '../db/database.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { adoptSecrets, findSealedState, readSealedSecrets, type SealingKey } from './sealed-secrets.ts';
import {
  fingerprintSecrets,
  followSecrets,
  loadSecrets,
  makeSecrets,
  readOwnSecrets,
  readSharedSecrets,
  removeOwnSecrets,
  type Secrets,
  shareSecrets,
  writeSecrets,
} from './secrets.ts';

/** Where an operator says that the secrets of an archive are. */
interface SecretsSettings {
  readonly dataFolder: string;
  /** A file that all machines share; none: the data folder has one. */
  readonly secretsFile: string | undefined;
  /** With it they lie in the database, sealed by it. */
  readonly secretsKey: SealingKey | undefined;
}

/** The secrets of a server, and what has them read again once they are others. */
export interface OpenSecrets {
  readonly secrets: Secrets;
  /** Never throws: what cannot be read is told, and changes nothing. */
  readAgain(): Promise<void>;
}

/**
 * The secrets of a server. By a key they are those that lie in the database; the first machine with one brings its own there, so that what they
 * opened stays open, and its own file goes. Else they are those of the file. Throws an OperatorFault where they cannot be used.
 */
export async function openSecrets(pool: Pool, settings: SecretsSettings, onFault: (message: string) => void): Promise<OpenSecrets> {
  const { dataFolder, secretsFile, secretsKey } = settings;
  if (secretsKey) return await followSealedSecrets(pool, { ...settings, secretsKey }, onFault);
  await refuseFileBesideDatabase(pool);
  return { secrets: secretsFile ? shareSecrets(secretsFile, onFault) : loadSecrets(dataFolder), readAgain: async () => {} };
}

type KeySettings = SecretsSettings & { readonly secretsKey: SealingKey };

async function followSealedSecrets(pool: Pool, settings: KeySettings, onFault: (message: string) => void): Promise<OpenSecrets> {
  const { secretsKey } = settings;
  let secrets = (await readSealedSecrets(pool, secretsKey)) ?? (await adoptOwnSecrets(pool, settings));
  // In the clear it would only be one more copy, and come into every backup.
  removeOwnSecrets(settings.dataFolder);
  // One after the other, or what was read first could come last.
  let reading = Promise.resolve();
  const readAgain = () => {
    reading = reading.then(async () => {
      try {
        const read = await readSealedSecrets(pool, secretsKey);
        // What was made of a key, as the ciphers of pictures, is good as long as the key is the very same.
        if (read && writeSecrets(read) !== writeSecrets(secrets)) secrets = read;
      } catch (error) {
        onFault(errorMessageOf(error));
      }
    });
    return reading;
  };
  return { secrets: followSecrets(() => secrets), readAgain };
}

async function adoptOwnSecrets(pool: Pool, settings: KeySettings): Promise<Secrets> {
  // Whoever took them out meant them to be somewhere else: the next machine that starts is not to make others.
  if (!settings.secretsFile && (await findSealedState(pool)) === 'taken out')
    throw new OperatorFault(
      'The secrets of this archive were taken out of its database: name the file with them by RUSHES_SECRETS, and RUSHES_SECRETS_KEY brings them back; or leave that out.',
    );
  return await adoptSecrets(pool, settings.secretsKey, readOwnOrShared(settings) ?? makeSecrets());
}

function readOwnOrShared({ secretsFile, dataFolder }: SecretsSettings): Secrets | undefined {
  return secretsFile ? readSharedSecrets(secretsFile) : readOwnSecrets(dataFolder);
}

/** With secrets of its own a machine would open nothing that the others have signed. */
async function refuseFileBesideDatabase(pool: Pool): Promise<void> {
  if ((await findSealedState(pool)) === 'sealed')
    throw new OperatorFault(
      'The secrets of this archive lie in its database: set RUSHES_SECRETS_KEY to the key that opens them. If it is lost, set a new one and run npm run secrets -- replace.',
    );
}

/** How a machine tells the others which secrets it has, without telling them, and whether those of another are the same. */
export interface SecretsSign {
  readonly sign: string;
  fits(other: string): boolean;
}

const fromDatabase = 'database';

/** The sign of these settings. Nothing is made or brought anywhere for it. Throws an OperatorFault where the secrets cannot be used. */
export async function signSecrets(pool: Pool, settings: SecretsSettings): Promise<SecretsSign> {
  const { secretsKey, secretsFile, dataFolder } = settings;
  if (!secretsKey) {
    await refuseFileBesideDatabase(pool);
    const sign = fingerprintSecrets(secretsFile ? readSharedSecrets(secretsFile) : loadSecrets(dataFolder));
    return { sign, fits: (other) => other === sign };
  }
  const secrets = (await readSealedSecrets(pool, secretsKey)) ?? readOwnOrShared(settings);
  // Others that still have the same in a file may go on beside this one.
  const known = [fromDatabase, ...(secrets ? [fingerprintSecrets(secrets)] : [])];
  return { sign: fromDatabase, fits: (other) => known.includes(other) };
}
