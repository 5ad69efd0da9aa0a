import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';

/** A key and a certificate that it signed itself, for names (`DNS:archive.example`) and addresses (`IP:127.0.0.1`); null without openssl. */
export function madeCertificate(...names: readonly string[]): { key: string; cert: string } | null {
  const program = findProgram('openssl');
  if (!program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'rushes-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const about = ['-days', '2', '-subj', '/CN=made', '-addext', `subjectAltName=${names.join(',')}`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const made = spawnSync(program, ['req', '-x509', ...kind, ...about, '-keyout', key, '-out', cert], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const both = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return both;
}
