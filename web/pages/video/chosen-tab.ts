import type { EmbedAddress } from '#web/embed/embed-address.ts';
import { readTab } from '#web/embed/embed-messages.ts';

/** The tab of the insights that somebody chose in this history entry: still so when they reload, or come back to it. */
export function chosenTab(): EmbedAddress['tab'] {
  return readTab(window.history.state?.tab);
}

/** Keeps it there: a new visit is another entry, and begins with the tab that fits it. */
export function keepChosenTab(tab: EmbedAddress['tab']): void {
  window.history.replaceState({ ...window.history.state, tab }, '');
}
