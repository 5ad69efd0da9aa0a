import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { keepPrivate } from '#domain/system/keep-private.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import type { Config } from './config.ts';

/** Makes the data folder if it is missing, closes it to others, and proves that it can be written to. */
export function checkDataFolder(folder: string, say: (line: string) => void = printFault): void {
  const probe = join(folder, `.write-probe-${process.pid}`);
  try {
    const open = keepPrivate(folder);
    if (open) say(open);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new OperatorFault(`RUSHES_DATA: cannot write to ${folder} (${nameOf(error)}). Change its owner, or name another folder.`, {
      cause: error,
    });
  }
}

/** For whoever started a command. */
function printFault(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Finds out before the slow parts of a start whether the port is free. */
export async function checkPort(listen: Config['listen']): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(listen, resolve));
  } catch (error) {
    throw listenFault(listen, error);
  } finally {
    probe.close();
  }
}

/** The line for an address that cannot be listened on. */
export function listenFault({ host, port }: Config['listen'], error: unknown): OperatorFault {
  const code = nameOf(error);
  if (code === 'EADDRINUSE')
    return new OperatorFault(`Port ${port} is in use. Stop the program that uses it, or take another port: PORT=${port + 1} npm start`);
  if (code === 'EACCES') return new OperatorFault(`Port ${port} needs special rights. Take one above 1023: PORT=4000 npm start`);
  return new OperatorFault(`Cannot listen on ${host}, port ${port} (${code}). Check RUSHES_LISTEN and PORT.`);
}

/** The line for a database that cannot be opened. */
export function toDatabaseFault(databaseUrl: string | undefined, error: unknown): OperatorFault {
  if (error instanceof OperatorFault) return error;
  const reason = error instanceof Error ? error.message || nameOf(error) : String(error);
  if (!databaseUrl) return new OperatorFault(`The database could not be started: ${reason}`, { cause: error });
  return new OperatorFault(`DATABASE_URL: the database cannot be used (${reason}). Start it or correct the address.`, { cause: error });
}

function nameOf(error: unknown): string {
  return errorCodeOf(error) || String(error);
}
