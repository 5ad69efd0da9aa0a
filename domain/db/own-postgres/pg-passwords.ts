import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce, replaceFile } from '../../system/durable-file.ts';
import { errorCodeOf } from '../../system/error-code.ts';
import { runAlone } from '../postgres-processes.ts';
import type { PgPlace } from './pg-place.ts';

/**
 * Gives the database in `dataFolder`, which no server may use meanwhile, its two roles and their passwords, and lets in nobody without
 * one. One that was made without passwords is taken over in place. Each step can be repeated and the last one says that all are done, so
 * that being killed at any point costs nothing but the next start's doing it again.
 */
export function sealCluster(dataFolder: string, place: PgPlace): void {
  const passwords = keepPasswords(place.folder);
  if (isSealed(dataFolder, passwords)) return;
  runAlone(dataFolder, place, roleStatementsFor(passwords));
  replaceFile(doorFileIn(dataFolder), doorRulesFor(passwords));
}

function isSealed(dataFolder: string, passwords: PgPasswords): boolean {
  return readFileSync(doorFileIn(dataFolder), 'utf8') === doorRulesFor(passwords);
}

/** The passwords are letters, digits, - and _ only. */
function roleStatementsFor(passwords: PgPasswords): string[] {
  const powers = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  return [
    `set password_encryption = 'scram-sha-256'`,
    `alter role ${superuser} password '${passwords.superuser}'`,
    `do $$ begin if not exists (select from pg_roles where rolname = '${applicationRole}') then create role ${applicationRole}; end if; end $$`,
    `alter role ${applicationRole} ${powers} password '${passwords.application}'`,
  ];
}

function doorFileIn(dataFolder: string): string {
  return join(dataFolder, 'pg_hba.conf');
}

function doorRulesFor({ mark }: PgPasswords): string {
  return `# Written by Rushes when the roles had got the passwords of ../passwords.json (${mark}).\nlocal all all scram-sha-256\n`;
}

/** Role that PostgreSQL is made with and that may do everything; the archive uses it to begin and to end, never to work. */
export const superuser = 'app';
/** Role that the archive works as: it owns the archive's database and may do nothing beside. */
export const applicationRole = 'rushes';

interface PgPasswords {
  readonly superuser: string;
  readonly application: string;
  /** Tells these passwords from others without telling them. */
  readonly mark: string;
}

const password = z.string().regex(/^[\w-]{43}$/);
const PasswordsFile = z.strictObject({ superuser: password, application: password });

/** The passwords of the PostgreSQL under `folder`; undefined before it has any. */
export function readPasswords(folder: string): PgPasswords | undefined {
  try {
    return parse(readFileSync(fileOf(folder), 'utf8'));
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads `passwords.json` of this folder, making it when it is missing or damaged: whoever holds the folder and its lock gives PostgreSQL
 * new passwords without knowing the old ones.
 */
export function keepPasswords(folder: string): PgPasswords {
  const fresh = () => randomBytes(32).toString('base64url');
  const text = `${JSON.stringify({ superuser: fresh(), application: fresh() }, null, 2)}\n`;
  const kept = parse(createOnce(fileOf(folder), text));
  if (kept) return kept;
  replaceFile(fileOf(folder), text);
  return keepPasswords(folder);
}

function parse(text: string): PgPasswords | undefined {
  const parsed = PasswordsFile.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  return { ...parsed.data, mark: createHash('sha256').update(JSON.stringify(parsed.data)).digest('hex').slice(0, 32) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileOf(folder: string): string {
  return join(folder, 'passwords.json');
}
