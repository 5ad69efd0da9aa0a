import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What a content delivery network is told by who may have segments from it. */
export interface CdnSettings {
  readonly keyPairId: string;
  readonly privateKey: KeyObject;
}

/** Reads by which key cookies for a network are signed: undefined without one. `faults` are lines to be printed; nothing of the key stands in them. */
export function readCdnSettings(environment: Record<string, string | undefined>): { cdn: CdnSettings | undefined; faults: string[] } {
  const { RUSHES_CDN_KEY_PAIR: keyPairId, RUSHES_CDN_KEY_FILE: file } = environment;
  const faulty = (fault: string) => ({ cdn: undefined, faults: [fault] });
  if (!(keyPairId || file)) return { cdn: undefined, faults: [] };
  if (!(keyPairId && file)) return faulty('RUSHES_CDN_KEY_PAIR and RUSHES_CDN_KEY_FILE belong together: set both, or neither');
  if (!environment.RUSHES_PUBLIC_URL) return faulty('RUSHES_CDN_KEY_PAIR needs the address that the network has: set RUSHES_PUBLIC_URL');
  if (!/^[A-Z0-9]+$/.test(keyPairId)) return faulty('RUSHES_CDN_KEY_PAIR must be the id of a public key, capital letters and digits');
  const privateKey = readRsaKey(file);
  if (!privateKey)
    return faulty(`RUSHES_CDN_KEY_FILE must be the private half of an RSA key of 2,048 bits in PEM (it is ${JSON.stringify(file)})`);
  return { cdn: { keyPairId, privateKey }, faults: [] };
}

function readRsaKey(file: string): KeyObject | null {
  try {
    const key = createPrivateKey(readFileSync(file));
    return key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === 2_048 ? key : null;
  } catch {
    return null;
  }
}
