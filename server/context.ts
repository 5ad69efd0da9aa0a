import { readFileSync } from 'node:fs';
import { ArchiveSettings } from '#contract/archive.ts';
import { serverLimits } from '#contract/limits.ts';
import { addressOf, type Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import type { FileStore } from '#domain/files/store.ts';
import { UploadHashes } from '#domain/footage/upload-hashes.ts';
import { chooseEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { openArchiveSearch, type Search } from '#domain/search/open-search.ts';
import { createSignIn, type SignIn, type SignInOptions } from '#domain/signin/create-sign-in.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { createLog, type Log } from '#domain/system/log.ts';
import { type OpenSecrets, openSecrets } from '#domain/tokens/open-secrets.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import { startUnfoundCounter, type UnfoundCounter } from '#domain/unfound/unfound-queries.ts';
import { knownLanguages } from '#domain/words/languages/languages.ts';
import { type AzureService, openAzureService } from './azure/azure-service.ts';
import type { Config } from './config.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMailer } from './mail/open-mailer.ts';
import type { Mailbox } from './mail/practice-mailbox.ts';
import { practiceProvidersAt } from './practice/practice-clients.ts';
import { practiceRolesOf } from './practice/practice-people.ts';
import { signInProviders } from './provider-settings.ts';

/** Everything that a route may need, built once. */
export interface Context {
  readonly config: Config;
  readonly settings: ArchiveSettings;
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  /** The media. */
  readonly store: FileStore;
  readonly uploadHashes: UploadHashes;
  readonly secrets: Secrets;
  /** Reads them again once they are others. */
  readonly readSecretsAgain: OpenSecrets['readAgain'];
  readonly signIn: SignIn;
  readonly search: Search;
  /** Has the films in the place of this archive; null where it has them itself. */
  readonly azure: AzureService | null;
  readonly unfound: UnfoundCounter;
  /** Null where no e-mail is sent. */
  readonly mail: Mailer | null;
  /** Where e-mail goes in a practice archive without a mail server. */
  readonly mailbox: Mailbox | null;
  readonly log: Log;
}

const unfoundWrittenEveryMs = 2_000;

/** Builds the context around an open, migrated database. */
export async function createContext(config: Config, pool: Pool): Promise<Context> {
  const log = createLog('web', config.logLevel);
  const settings = readArchiveSettings(config, log);
  const { folder, store } = openArchiveFiles(config.dataFolder, config.s3);
  const { secrets, readAgain: readSecretsAgain } = await openSecrets(pool, config, (message) =>
    log.error('secrets not read again', { message }),
  );
  const signIn = await createSignIn(pool, secrets, signInOptions(config, log));
  const encoder = await chooseEncoder(config.encoder);
  const meaning = config.meaning && !config.azure ? openMeaningProcess({ address: addressOf(pool), encoder }) : null;
  const search = openArchiveSearch({ pool, indexFolder: folder.index, budgetBytes: config.searchMemoryBytes, meaning });
  const azure = config.azure && openAzureService(config.azure);
  const unfound = startUnfoundCounter(pool, {
    everyMs: unfoundWrittenEveryMs,
    // Nobody tells the languages of another service's films, or of an index that cannot be read now.
    languages: () => search.run(async ({ vocabulary }) => (await vocabulary.for()).languages).catch(() => knownLanguages),
    onDropped: (error) => log.warn('counts of searches dropped', { reason: errorMessageOf(error) }),
  });
  const uploadHashes = new UploadHashes();
  const mailer = openMailer(config, settings.name);
  return { config, settings, pool, folder, store, uploadHashes, secrets, readSecretsAgain, signIn, search, azure, unfound, log, ...mailer };
}

/** Who may sign people in: the providers with credentials, or in practice mode the practice provider in their place. */
function signInOptions(config: Config, log: Log): SignInOptions {
  const report = (message: string) => log.warn('sign-in', { message });
  const common = { publicUrl: config.publicUrl, answersWithinMs: serverLimits.providerAnswersWithinMs, report };
  if (config.practice) return { ...common, providersAt: practiceProvidersAt, rolesOfNewUser: practiceRolesOf };
  const providers = signInProviders(config);
  return { ...common, providersAt: () => providers, rolesOfNewUser: () => ({}) };
}

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

/** Of the file that comes with the archive. */
const nobodysEmail = 'licensing@rushes.example';

/**
 * Reads `archive.config.json`. A fault is logged, each on a line of its own, and the archive starts with neutral settings; so is, where it
 * is open to others, that the file is the one that it came with, whose contact is nobody's.
 */
export function readArchiveSettings({ archiveFile: file, practice }: Pick<Config, 'archiveFile' | 'practice'>, log: Log): ArchiveSettings {
  const { settings, faults } = parseSettings(file);
  for (const fault of faults) log.error('archive settings not used', { file, fault });
  if (!practice && settings.contact.email === nobodysEmail) log.warn('archive settings are those that it came with', { file });
  return settings;
}

function parseSettings(file: string): { settings: ArchiveSettings; faults: string[] } {
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
