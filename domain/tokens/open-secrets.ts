import type { Pool } from '../db/database.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { adoptSecrets, hasSealedSecrets, readSealedSecrets, type SealingKey } from './sealed-secrets.ts';
import { fingerprintSecrets, loadSecrets, makeSecrets, readOwnSecrets, readSharedSecrets, type Secrets, shareSecrets } from './secrets.ts';

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
 * opened stays open. Else they are those of the file. Throws an OperatorFault where they cannot be used.
 */
export async function openSecrets(pool: Pool, settings: SecretsSettings, onFault: (message: string) => void): Promise<OpenSecrets> {
  const { dataFolder, secretsFile, secretsKey } = settings;
  if (secretsKey) return await followSealedSecrets(pool, { ...settings, secretsKey }, onFault);
  await refuseFileBesideDatabase(pool);
  return { secrets: secretsFile ? shareSecrets(secretsFile, onFault) : loadSecrets(dataFolder), readAgain: async () => {} };
}

async function followSealedSecrets(
  pool: Pool,
  { dataFolder, secretsFile, secretsKey }: SecretsSettings & { readonly secretsKey: SealingKey },
  onFault: (message: string) => void,
): Promise<OpenSecrets> {
  const ownSecrets = () => (secretsFile ? readSharedSecrets(secretsFile) : readOwnSecrets(dataFolder)) ?? makeSecrets();
  let secrets = (await readSealedSecrets(pool, secretsKey)) ?? (await adoptSecrets(pool, secretsKey, ownSecrets()));
  const { signInSecret } = secrets;
  const live: Secrets = {
    get signingKeys() {
      return secrets.signingKeys;
    },
    get thumbnailKey() {
      return secrets.thumbnailKey;
    },
    // Whoever signs in at this moment is not to begin anew.
    signInSecret,
  };
  const readAgain = async () => {
    try {
      secrets = (await readSealedSecrets(pool, secretsKey)) ?? secrets;
    } catch (error) {
      onFault(errorMessageOf(error));
    }
  };
  return { secrets: live, readAgain };
}

/** With secrets of its own a machine would open nothing that the others have signed. */
async function refuseFileBesideDatabase(pool: Pool): Promise<void> {
  if (await hasSealedSecrets(pool))
    throw new OperatorFault(
      'The secrets of this archive lie in its database: set RUSHES_SECRETS_KEY to the key that opens them. If it is lost, set a new one and run npm run secrets -- replace.',
    );
}

/** Tells the secrets of one machine from those of another without telling them; all that read them from their one database have the same. */
export function tellSecretsApart({ secretsKey, secretsFile, dataFolder }: SecretsSettings): string {
  if (secretsKey) return 'database';
  return fingerprintSecrets(secretsFile ? readSharedSecrets(secretsFile) : loadSecrets(dataFolder));
}
