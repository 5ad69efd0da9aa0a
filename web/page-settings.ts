import type { PageSettings } from '#contract/archive.ts';

/** What the server wrote into this document; read once, before the first paint. */
export const pageSettings: PageSettings = readPageSettings();

/** What the addresses of the video service begin with: where the account is, and which. */
export const accountPath = { location: pageSettings.location, account: pageSettings.accountId };

/** Whether the films lie in this archive, which counts, narrows and edits them; another service only finds and plays them. */
export const filmsAreHere = pageSettings.films === 'here';

function readPageSettings(): PageSettings {
  const script = document.getElementById('page-settings');
  if (!script?.textContent) throw new Error('The document carries no page settings; it must come from the archive server.');
  return JSON.parse(script.textContent);
}
