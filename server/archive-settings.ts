import { readFileSync } from 'node:fs';
import { ArchiveSettings } from '#contract/archive.ts';
import type { Log } from './log.ts';

/** What an archive says about itself when its file is missing or damaged. */
const neutralSettings: ArchiveSettings = {
  name: 'Rushes',
  tagline: 'Footage, searched by what was said, written or seen',
  logoSvg: '',
  hero: { show: false, line: '', marked: '', examples: [] },
  // Whoever wanted less to be read must not have it opened by a slip in the file.
  guestsRead: 'counts',
  contact: { email: '', phone: '' },
  socialLinks: [],
  policies: { privacy: { title: 'Privacy policy', paragraphs: [] }, cookies: { title: 'Cookie policy', paragraphs: [] } },
};

/** Reads `archive.config.json`. A fault is logged, each on a line of its own, and the archive starts with neutral settings. */
export function readArchiveSettings(file: string, log: Log): ArchiveSettings {
  const { settings, faults } = parse(file);
  for (const fault of faults) log.error('archive settings not used', { file, fault });
  return settings;
}

function parse(file: string): { settings: ArchiveSettings; faults: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return { settings: neutralSettings, faults: [error instanceof Error ? error.message : 'not readable'] };
  }
  const parsed = ArchiveSettings.safeParse(json);
  if (parsed.success) return { settings: parsed.data, faults: [] };
  return { settings: neutralSettings, faults: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}
