import type { Page } from '@playwright/test';
import type { Line } from '#contract/corrections.ts';
import { enterAs, expect, type JourneyArchive, test, videoIdOf } from './journey.ts';

/** What another editor does meanwhile. */
function correctElsewhere(page: Page, videoId: string, change: { replaces: Line[]; lines: Line[] }): Promise<number> {
  return page.evaluate(
    async ({ address, body }) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(address, { method: 'PUT', headers, body: JSON.stringify({ changes: [body] }) })).status;
    },
    { address: `/api/videos/${videoId}/lines`, body: change },
  );
}

/** Opens the transcript of a film for an editor, at its first line. */
async function editTranscript(page: Page, archive: JourneyArchive, film: string) {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, film);
  await page.goto(`/video/${id}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const words = editor.getByRole('textbox', { name: 'Transcript line' });
  await expect(words).toBeFocused();
  return { id, editor, words };
}

test('a line that somebody else changed meanwhile is told with both texts and not overwritten, and what was typed can still be kept', async ({
  page,
  archive,
}) => {
  const { id, editor, words } = await editTranscript(page, archive, 'Under the pier');
  const seen = await words.inputValue();
  await words.fill('What I heard');
  const line = { startMs: 0, endMs: 0, text: seen, speaker: null };
  const [startMs = 0, endMs = 0] = await Promise.all(
    ['Begins', 'Ends'].map(async (name) => {
      const [minutes = 0, seconds = 0] = (await editor.getByLabel(name).inputValue()).split(':').slice(1).map(Number);
      return Math.round((minutes * 60 + seconds) * 1_000);
    }),
  );
  const was = { ...line, startMs, endMs };
  expect(await correctElsewhere(page, id, { replaces: [was], lines: [{ ...was, text: 'What they heard' }] })).toBe(200);
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('alert')).toHaveText('Someone else has changed this: it is “What they heard” now.');
  await expect(words).toHaveValue('What I heard');
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('button', { name: 'What I heard' })).toBeVisible();
  await words.fill('  ');
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('alert')).toContainText('A line needs words.');
  // It is told of this line, and not of the one that is looked at next.
  await page.keyboard.press('Escape');
  await expect(editor.getByRole('alert')).toHaveCount(0);
  await words.fill('  ');
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('alert')).toBeVisible();
  await words.fill('Heard as well');
  await editor.getByRole('listitem').first().getByRole('button').click();
  await expect(words).toHaveValue('What I heard');
  await expect(editor.getByRole('alert')).toHaveCount(0);
});

test('a line that somebody else removes while it is written into is added again, and no other goes for it; what is no time is not kept', async ({
  page,
  archive,
}) => {
  const { id, editor, words } = await editTranscript(page, archive, 'Dunes in the wind');
  const lines = async () => (await (await page.request.get(`/api/videos/${id}/lines`)).json()).lines as Line[];
  const [first, ...others] = await lines();
  if (!first) throw new Error('nobody speaks');
  const begins = editor.getByLabel('Begins');
  await begins.fill('00:00:07:12');
  await begins.press('Enter');
  await expect(begins).toHaveAttribute('aria-invalid', 'true');
  await begins.fill('');
  await begins.press('Enter');
  await words.press('Escape');
  expect(await lines()).toEqual([first, ...others]);
  await words.fill('What I heard');
  const { startMs, endMs, text, speaker } = first;
  expect(await correctElsewhere(page, id, { replaces: [{ startMs, endMs, text, speaker }], lines: [] })).toBe(200);
  await expect(editor.getByRole('alert')).toContainText('Someone else has removed this line.');
  await expect(words).toHaveValue('What I heard');
  await words.press('Enter');
  await expect(editor.getByRole('button', { name: 'What I heard' })).toBeVisible();
  expect((await lines()).map((line) => line.text)).toEqual(['What I heard', ...others.map((line) => line.text)]);
});
