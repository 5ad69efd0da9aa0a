import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce } from '../db/durable-file.ts';
import { errorCode } from '../db/error-code.ts';
import { parseJson } from '../files/parse-json.ts';

export interface SigningKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** The archive's own secrets. Tokens carry the `kid` of the key that signed them. */
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
const SecretsFile = z.strictObject({
  signingKeys: z
    .array(z.strictObject({ kid: z.string().regex(/^[\w-]{4,32}$/), key }))
    .min(1)
    .max(2),
  thumbnailKey: key,
  signInSecret: z.string().min(43),
});

/** Reads `secrets.json` of this data folder, making it first when there is none; every process gets the same one. */
export function loadSecrets(dataFolder: string): Secrets {
  const path = join(dataFolder, 'secrets.json');
  const text = readIfPresent(path) ?? makeSecrets(dataFolder, path);
  const parsed = SecretsFile.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${path} is damaged; restore it, or delete it to sign everybody out and start with new keys`);
  const { signingKeys, thumbnailKey, signInSecret } = parsed.data;
  return { signingKeys: signingKeys.map(({ kid, key: bytes }) => ({ kid, bytes })), thumbnailKey, signInSecret };
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function makeSecrets(dataFolder: string, path: string): string {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return createOnce(path, `${JSON.stringify(newSecrets(), null, 2)}\n`);
}

function newSecrets() {
  const fresh = () => randomBytes(keyLength).toString('base64url');
  return { signingKeys: [{ kid: randomBytes(6).toString('base64url'), key: fresh() }], thumbnailKey: fresh(), signInSecret: fresh() };
}
