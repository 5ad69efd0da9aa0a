import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageSettings, providerIds } from '#contract/archive.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import type { Context } from '../context.ts';

export type DocumentName = 'index' | 'embed/player' | 'embed/insights';

interface Filling {
  /** What else the head is to hold, before the settings. */
  readonly head?: string;
  readonly holds?: PageSettings['holds'];
}

/** Gives the built documents with the settings of this archive in them; each is read once. */
export function openDocuments(context: Context): (name: DocumentName, filling?: Filling) => string {
  const settings = pageSettings(context);
  const read = new Map<DocumentName, readonly string[]>();
  return (name, { head = '', holds = [] } = {}) => {
    const known = read.get(name);
    const pieces = known ?? readFileSync(join(context.config.pagesFolder, `${name}.html`), 'utf8').split('<!--page-settings-->');
    if (!known) read.set(name, pieces);
    return pieces.join(`${head}<script type="application/json" id="page-settings">${scriptText({ ...settings, holds })}</script>`);
  };
}

const practiceProviders: readonly (typeof providerIds)[number][] = ['google', 'microsoft'];

function pageSettings({ config, settings, mail, mailbox }: Context): Omit<PageSettings, 'holds'> {
  const offered = config.practice ? practiceProviders : config.providers.map(({ id }) => id);
  return {
    archive: settings,
    practice: config.practice,
    ...config.videoService,
    films: config.azure ? 'azure' : 'here',
    emailSignIn: mail !== null,
    practiceMailbox: mailbox !== null,
    providers: offered.map((id) => ({ id, name: (id === 'oidc' && config.operatorsProvider?.name) || signInWayNames[id] })),
  };
}

/** JSON that cannot end the script element it stands in. */
function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
