import { minidenticon } from 'minidenticons';
import { avatarHash } from '#domain/users/avatar-address.ts';
import { escapeHtml } from '../sign-in-window/html.ts';
import { windowPage } from '../sign-in-window/window-page.ts';
import { type PracticePerson, practicePeople } from './practice-people.ts';

const standsFor: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' };

/** The page on which the practice provider asks who to be. */
export function choosePersonPage(clientId: string): string {
  const instead = standsFor[clientId] ?? 'a real provider';
  return windowPage({
    title: 'Practice sign-in: choose a person',
    body: `<h1>Practice sign-in: choose a person</h1>
<p>This archive is a practice archive. This page stands in for ${escapeHtml(instead)} and exists on this machine only: no password, no account, nothing leaves it.</p>
<form method="post">
${practicePeople.map(button).join('\n')}
<button class="quiet" name="person" value="">Cancel</button>
</form>`,
  });
}

function button({ id, name, may, email }: PracticePerson): string {
  return `<button name="person" value="${escapeHtml(id)}">${minidenticon(avatarHash(email), 60, 58)}<strong>${escapeHtml(name)}</strong><span>${escapeHtml(may)}</span></button>`;
}
