import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, watchFile } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce, readIfPresent } from '../system/durable-file.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { parseJson } from '../system/parse-json.ts';

export interface SigningKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** The archive's own secrets, in a file (here) or sealed in its database (sealed-secrets); open-secrets decides. Tokens carry the `kid` of the key that signed them. */
export interface Secrets {
  /** The first key signs; the second, if any, is the one before it and still opens what it signed. */
  readonly signingKeys: readonly SigningKey[];
  /** Outlives a change of the signing key, so that addresses of pictures stay cached. */
  readonly thumbnailKey: Uint8Array;
  /** Seals the state of a sign-in under way. */
  readonly signInSecret: string;
}

const keyLength = 32;
const key = z.base64url().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== keyLength) context.addIssue({ code: 'custom', message: `a key has ${keyLength} bytes` });
  return bytes;
});
/** The one that signs, and those before it that still open what they signed. */
export const signingKeysMax = 8;

const SecretsFile = z.strictObject({
  signingKeys: z
    .array(z.strictObject({ kid: z.string().regex(/^[\w-]{4,32}$/), key }))
    .min(1)
    .max(signingKeysMax),
  thumbnailKey: key,
  signInSecret: z.string().min(43),
});

/** Reads `secrets.json` of this data folder, making it first when there is none; every process gets the same one. */
export function loadSecrets(dataFolder: string): Secrets {
  const path = ownFileIn(dataFolder);
  return parseOwn(readIfPresent(path) ?? makeSecretsFile(dataFolder, path), path);
}

/** The same, but undefined when there is none. */
export function readOwnSecrets(dataFolder: string): Secrets | undefined {
  const path = ownFileIn(dataFolder);
  const text = readIfPresent(path);
  return text === null ? undefined : parseOwn(text, path);
}

const ownFileIn = (dataFolder: string) => join(dataFolder, 'secrets.json');

/** Takes that file away, where there is one. */
export function removeOwnSecrets(dataFolder: string): void {
  rmSync(ownFileIn(dataFolder), { force: true });
}

function parseOwn(text: string, path: string): Secrets {
  const secrets = parseSecrets(text);
  if (!secrets) throw new Error(`${path} is damaged; restore it, or delete it to sign everyone out and start with new keys`);
  return secrets;
}

const lookEveryMs = 5_000;

/**
 * Reads the secrets that all machines of an archive share from this file, and again when it changes: new signing keys hold from then on,
 * a file that cannot be read changes nothing. Throws an OperatorFault where it cannot be read at the start.
 */
export function shareSecrets(path: string, onFault: (message: string) => void, everyMs = lookEveryMs): Secrets {
  let secrets = readSharedSecrets(path);
  const readAgain = () => {
    try {
      secrets = readSharedSecrets(path);
    } catch (error) {
      onFault(errorMessageOf(error));
    }
  };
  watchFile(path, { interval: everyMs, persistent: false }, readAgain);
  // It compares with its first look, which comes a moment after the file was read: a change between the two would never be noticed.
  setTimeout(readAgain, everyMs).unref();
  return followSecrets(() => secrets);
}

/** Secrets that are those of `current` whenever they are asked for, but for the one of signing in: whoever does so at this moment is not to begin anew. */
export function followSecrets(current: () => Secrets): Secrets {
  const { signInSecret } = current();
  return {
    get signingKeys() {
      return current().signingKeys;
    },
    get thumbnailKey() {
      return current().thumbnailKey;
    },
    signInSecret,
  };
}

/** The secrets that are in the file that `RUSHES_SECRETS` names. Throws an OperatorFault that says why they cannot be used, and what to do. */
export function readSharedSecrets(path: string): Secrets {
  const text = readTextOf(path);
  const secrets = parseSecrets(text);
  if (secrets) return secrets;
  throw makeSecretsFault(`${path} ${text.trim() === '' ? 'is empty' : 'is damaged'}`);
}

function readTextOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw makeSecretsFault(errorCodeOf(error) === 'ENOENT' ? `there is no ${path}` : `${path} cannot be read (${errorCodeOf(error)})`);
  }
}

function makeSecretsFault(what: string): OperatorFault {
  return new OperatorFault(
    `RUSHES_SECRETS: ${what}. Give all machines one file of secrets there, or one RUSHES_SECRETS_KEY in its place: then the secrets lie in their database.`,
  );
}

/** Tells secrets apart without telling them. */
export function fingerprintSecrets({ thumbnailKey }: Secrets): string {
  return createHash('sha256').update('print of secrets').update(thumbnailKey).digest('hex').slice(0, 12);
}

/** Reads what `writeSecrets` wrote; undefined for what is none. */
export function parseSecrets(text: string): Secrets | undefined {
  const parsed = SecretsFile.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { signingKeys, thumbnailKey, signInSecret } = parsed.data;
  return { signingKeys: signingKeys.map(({ kid, key: bytes }) => ({ kid, bytes })), thumbnailKey, signInSecret };
}

/** The text of a file of secrets. */
export function writeSecrets({ signingKeys, thumbnailKey, signInSecret }: Secrets): string {
  const written = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const keys = signingKeys.map(({ kid, bytes }) => ({ kid, key: written(bytes) }));
  return `${JSON.stringify({ signingKeys: keys, thumbnailKey: written(thumbnailKey), signInSecret }, null, 2)}\n`;
}

function makeSecretsFile(dataFolder: string, path: string): string {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return createOnce(path, writeSecrets(makeSecrets()));
}

/** Secrets that nobody had before. */
export function makeSecrets(): Secrets {
  return {
    signingKeys: [makeSigningKey()],
    thumbnailKey: randomBytes(keyLength),
    signInSecret: randomBytes(keyLength).toString('base64url'),
  };
}

/** A signing key that nobody had before. */
export function makeSigningKey(): SigningKey {
  return { kid: randomBytes(6).toString('base64url'), bytes: randomBytes(keyLength) };
}
