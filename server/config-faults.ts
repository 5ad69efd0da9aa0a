import { isLoopback } from '#domain/signin/is-loopback.ts';

/** What is wrong with the address of the archive. */
export function publicUrlFaults(publicUrl: string | undefined, insecureAllowed: boolean): string[] {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const faults: string[] = [];
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    faults.push('RUSHES_PUBLIC_URL must be an address without path, such as https://archive.example');
  if (url.protocol === 'http:' && !isHere(publicUrl) && !insecureAllowed) {
    faults.push('RUSHES_PUBLIC_URL must be https; set RUSHES_INSECURE_HTTP=1 to run without encryption all the same');
  }
  return faults;
}

/** Whoever stands in for the providers can sign in as anybody: only on a machine that nobody else reaches. */
export function standInFaults(standIn: string, publicUrl: string | undefined): string[] {
  if (standIn === '' || (isHere(standIn) && (publicUrl === undefined || isHere(publicUrl)))) return [];
  return [
    'RUSHES_SIGN_IN_STAND_IN lets anybody in as anybody: it and RUSHES_PUBLIC_URL must be addresses of this machine, such as http://localhost:4000',
  ];
}

interface Database {
  readonly RUSHES_ROLES: 'web' | 'ingest' | 'both';
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly RUSHES_S3_BUCKET?: string | undefined;
}

/** A PostgreSQL inside the archive ends with the server that started it, and others would be left without. */
export function databaseFaults(env: Database): string[] {
  if (env.DATABASE_URL !== undefined) return [];
  if (env.RUSHES_ROLES !== 'both')
    return [
      `RUSHES_ROLES=${env.RUSHES_ROLES} needs a database that both sides reach: name one by DATABASE_URL, or leave RUSHES_ROLES out and let one server do both`,
    ];
  if (env.DATABASE_DIRECT_URL !== undefined)
    return ['DATABASE_DIRECT_URL is the way past a pooler to the database that DATABASE_URL names: set both, or neither'];
  return [];
}

function isHere(address: string): boolean {
  return isLoopback(new URL(address).hostname);
}
