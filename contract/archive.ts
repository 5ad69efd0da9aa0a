import { z } from 'zod';
import { serverLimits } from './limits.ts';

/** A page of its own: its heading, and plain paragraphs. */
const Policy = z.object({ title: z.string(), paragraphs: z.array(z.string()) });

/** What the owner of an archive sets about it: `archive.config.json`, read at start. */
export const ArchiveSettings = z.object({
  /** Beside the logo, in every page's title, and as the name of the browser's search. */
  name: z.string().min(1).max(serverLimits.archiveSettingsMaxCharacters.name),
  /** A line at the foot of every page. */
  tagline: z.string().max(serverLimits.archiveSettingsMaxCharacters.tagline),
  /** SVG text of the logo in a 30 x 22 box; empty for the built-in mark. */
  logoSvg: z.string().max(serverLimits.archiveSettingsMaxCharacters.logoSvg),
  /** The opening of the home page. */
  hero: z.object({
    show: z.boolean(),
    line: z.string().max(serverLimits.archiveSettingsMaxCharacters.heroLine),
    /** Words of the line that carry the marker. */
    marked: z.string().max(serverLimits.archiveSettingsMaxCharacters.heroMarked),
    /** Searches to begin with, as somebody would type them. */
    examples: z.array(z.string().max(serverLimits.archiveSettingsMaxCharacters.heroExample)).max(serverLimits.heroExamplesMax),
  }),
  /**
   * What somebody who may not watch reads of a match: its `words`, only how many there are (`counts`), or only where they
   * stand along the film (`locked`).
   */
  guestsRead: z.enum(['words', 'counts', 'locked']).default('words'),
  /** Licensing, on every film's page and at the foot; an empty one is not shown. */
  contact: z.object({ email: z.string(), phone: z.string() }),
  socialLinks: z.array(z.object({ name: z.string(), href: z.url({ protocol: /^https?$/ }) })).max(serverLimits.socialLinksMax),
  policies: z.object({ privacy: Policy, cookies: Policy }),
});
export type ArchiveSettings = z.infer<typeof ArchiveSettings>;

/** Providers of the sign-in window, in its order; `oidc` is one that the operator names. */
export const providerIds = ['oidc', 'google', 'microsoft', 'facebook', 'twitter'] as const;

/** What the page is told before its first paint; written into the document by the server. */
export const PageSettings = z.object({
  archive: ArchiveSettings,
  practice: z.boolean(),
  /** Base addresses: '' is this server, so that the same pages can speak to another video service. */
  videoServiceBase: z.string(),
  widgetBase: z.string(),
  functionsBase: z.string(),
  /** Who has the films: this archive, which does more with them, or Azure AI Video Indexer. */
  films: z.enum(['here', 'azure']),
  location: z.string(),
  accountId: z.string(),
  /** Whether a content delivery network hands out the segments of films, by a cookie that ends in seconds. */
  cdn: z.boolean(),
  /** Whether sign-in links are sent by e-mail. */
  emailSignIn: z.boolean(),
  /** Whether what is sent lies in the practice mailbox. */
  practiceMailbox: z.boolean(),
  /** What can be found in the films beside their titles: the pages promise nothing else. */
  holds: z.array(z.enum(['said', 'written', 'people', 'labels'])),
  /** Providers of the sign-in window, in order. */
  providers: z.array(z.object({ id: z.enum(providerIds), name: z.string() })),
});
export type PageSettings = z.infer<typeof PageSettings>;

/** A backup is late when the last good one is older than this. */
export const backupLateAfterHours = 48;

/** How an archive stands with its backups, for administrators. */
export const BackupState = z.object({
  /** `unneeded`: there is none, and nothing yet that could be lost, or an archive to practise in; `never`: there is something, and no backup of it. */
  is: z.enum(['unneeded', 'never', 'fine', 'late', 'failed']),
  /** Of the last try; null when there never was one. */
  at: z.string().nullable(),
  /** Of the last backup that went well. */
  lastGoodAt: z.string().nullable(),
  /** What went wrong with the last one, or what was made. */
  message: z.string(),
});
export type BackupState = z.infer<typeof BackupState>;

/** How much waits for an administrator to look at it. */
export const Attention = z.object({
  /** People who signed up and were never let in. */
  waiting: z.number().int(),
  failedFilms: z.number().int(),
  /** Searches that found nothing and were not taken off the desk. */
  foundNothing: z.number().int(),
});
export type Attention = z.infer<typeof Attention>;
