import type { Finding } from './finding.ts';
import { lookAtArchive } from './look-at-archive.ts';
import { lookAtMachine } from './look-at-machine.ts';
import { lookAtSettings, readSettings } from './look-at-settings.ts';

interface Circumstances {
  /** The settings; those of this process where they are left out. */
  readonly environment?: Record<string, string | undefined>;
  readonly now?: () => number;
  readonly diskType?: number;
}

/** Looks for everything that operators get wrong. Changes nothing but what any start would: the data folder is closed to others. */
export async function examine({ environment, now = Date.now, diskType }: Circumstances = {}): Promise<Finding[]> {
  const { settings, findings } = readSettings(environment);
  // What is looked at further on is where the settings say.
  if (!settings) return findings;
  // The machine first: opening the database closes the folder to others.
  const machine = await lookAtMachine(settings, { diskType });
  return [...findings, ...machine, ...(await lookAtSettings(settings)), ...(await lookAtArchive(settings, now))];
}
