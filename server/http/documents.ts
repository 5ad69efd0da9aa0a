import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageSettings, providerIds } from '#contract/archive.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import type { Context } from '../context.ts';

export type DocumentName = 'index' | 'embed/player' | 'embed/insights';

/** Gives the built documents with the settings of this archive in them, and before those what else a head is to hold; each is read once. */
export function openDocuments(context: Context): (name: DocumentName, head?: string) => string {
  const settings = `<script type="application/json" id="page-settings">${scriptText(pageSettings(context))}</script>`;
  const read = new Map<DocumentName, readonly string[]>();
  return (name, head = '') => {
    const known = read.get(name);
    const pieces = known ?? readFileSync(join(context.config.pagesFolder, `${name}.html`), 'utf8').split('<!--page-settings-->');
    if (!known) read.set(name, pieces);
    return pieces.join(head + settings);
  };
}

const practiceProviders: readonly (typeof providerIds)[number][] = ['google', 'microsoft'];

function pageSettings({ config, settings, mail, mailbox }: Context): PageSettings {
  const offered = config.practice ? practiceProviders : config.providers.map(({ id }) => id);
  return {
    archive: settings,
    practice: config.practice,
    ...config.videoService,
    emailSignIn: mail !== null,
    practiceMailbox: mailbox !== null,
    providers: offered.map((id) => ({ id, name: signInWayNames[id] })),
  };
}

/** JSON that cannot end the script element it stands in. */
function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
