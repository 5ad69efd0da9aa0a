import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../durable-file.ts';
import { runAlone } from '../postgres-processes.ts';
import { applicationRole, keepPasswords, type PgPasswords, superuser } from './pg-passwords.ts';
import type { PgPlace } from './pg-place.ts';

/**
 * Gives the database in `dataFolder`, which no server may use meanwhile, its two roles and their passwords, and lets in nobody without
 * one. One that was made without passwords is taken over in place. Each step can be repeated and the last one says that all are done, so
 * that being killed at any point costs nothing but the next start's doing it again.
 */
export function sealCluster(dataFolder: string, place: PgPlace): void {
  const passwords = keepPasswords(place.folder);
  if (isSealed(dataFolder, passwords)) return;
  runAlone(dataFolder, place, roleStatements(passwords));
  replaceFile(doorFile(dataFolder), doorRules(passwords));
}

function isSealed(dataFolder: string, passwords: PgPasswords): boolean {
  return readFileSync(doorFile(dataFolder), 'utf8') === doorRules(passwords);
}

/** The passwords are letters, digits, - and _ only. */
function roleStatements(passwords: PgPasswords): string[] {
  const powers = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  return [
    `set password_encryption = 'scram-sha-256'`,
    `alter role ${superuser} password '${passwords.superuser}'`,
    `do $$ begin if not exists (select from pg_roles where rolname = '${applicationRole}') then create role ${applicationRole}; end if; end $$`,
    `alter role ${applicationRole} ${powers} password '${passwords.application}'`,
  ];
}

function doorFile(dataFolder: string): string {
  return join(dataFolder, 'pg_hba.conf');
}

function doorRules({ mark }: PgPasswords): string {
  return `# Written by Rushes when the roles had got the passwords of ../passwords.json (${mark}).\nlocal all all scram-sha-256\n`;
}
