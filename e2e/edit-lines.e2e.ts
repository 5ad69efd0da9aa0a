import type { Moment } from '#domain/moments/moment.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import {
  enterAs,
  expect,
  expectAccessible,
  insightsOf,
  type JourneyArchive,
  playerOf,
  playerSeconds,
  takePicture,
  test,
  videoIdOf,
} from './journey.ts';

/** Has a machine hear something at the end of a film, and not be sure of it. */
async function hearDoubtfully({ database }: JourneyArchive, videoId: string): Promise<void> {
  const moment: Moment = {
    kind: 'Transcript',
    startMs: 24_000,
    endMs: 25_500,
    text: 'a bell or two',
    source: 'machine',
    confidencePercent: 41,
  };
  await publishLayers(database.pool, videoId, { madeBy: 'a journey', version: 1, layers: [{ name: 'captions', moments: [moment] }] });
}

test('an editor goes through a transcript by the keyboard: mends, verifies, splits, joins and takes back, and it is found by what it says', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Night tram, line 28');
  await hearDoubtfully(archive, id);
  await page.goto(`/video/${id}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0.3);
  await page.getByRole('button', { name: 'Edit transcript' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/edit=transcript/);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const words = editor.getByRole('textbox', { name: 'Transcript line' });
  const status = editor.getByRole('status');
  await expect(words).toBeFocused();
  await expect(words).toHaveValue('Line twenty eight runs down to the harbour, and this is its last');
  await expect(editor.getByText('0 of 9 checked, 1 doubtful')).toBeVisible();

  // A blank after capitals is a blank.
  await words.press('Control+End');
  await page.keyboard.press('Shift+Space');
  await expect(words).toHaveValue(/its last $/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+k');
  await expect(playerOf(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  // However far it has come by then: from there the next line is not near.
  await expect(async () => {
    await page.keyboard.press('Alt+j');
    expect(await playerSeconds(page)).toBeLessThan(2);
  }).toPass();
  await words.fill('Line 28 runs down to the quayside, and this is its last');
  // Whoever goes on by mouse keeps what was typed as well.
  await editor.getByRole('button', { name: 'tram home tonight.' }).click();
  await expect(status).toHaveText('Line corrected.');
  await expect(words).toHaveValue('tram home tonight.');
  await expect(words).toBeFocused();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(5);
  await page.keyboard.press('Enter');
  await expect(status).toHaveText('Line verified.');
  await expect(editor.getByText('2 of 9 checked, 1 doubtful')).toBeVisible();
  await takePicture(page, 'edit-lines');

  await page.keyboard.press('Alt+n');
  await expect(words).toHaveValue('a bell or two');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(23.5);
  await page.keyboard.press('Alt+j');
  await expect.poll(() => playerSeconds(page)).toBeLessThan(23);
  await words.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(6, 6));
  await page.keyboard.press('Shift+Enter');
  await expect(status).toHaveText('Line split.');
  await expect(words).toHaveValue('a bell');
  await page.keyboard.press('Alt+m');
  await expect(status).toHaveText('Lines joined.');
  await expect(words).toHaveValue('a bell or two');
  await page.keyboard.press('Alt+u');
  await expect(status).toHaveText('Undone.');
  await expect(words).toHaveValue('a bell');

  const many = editor.getByRole('group').filter({ hasText: 'Change many lines' });
  await many.getByText('Change many lines').click();
  await many.getByLabel('Find').fill('window');
  await many.getByLabel('Replace with').fill('shutter');
  await expect(many.getByRole('listitem')).toHaveText([
    '00:00:06The driver knows every window on this street. The driver knows every shutter on this street.',
  ]);
  await takePicture(page, 'change-many-lines');
  await page.keyboard.press('Enter');
  await expect(many.getByRole('status')).toHaveText('1 line changed.');
  await expect(editor.getByRole('button', { name: 'every shutter' })).toBeVisible();
  await many.getByRole('button', { name: 'Undo all' }).click();
  await expect(many.getByRole('status')).toHaveText('Undone.');
  await many.getByRole('button', { name: /^Verify the remaining \d lines/ }).click();
  await expect(many.getByRole('status')).toHaveText(/^\d lines verified.$/);
  await expect(editor.getByText('10 of 10 checked', { exact: true })).toBeVisible();
  await editor.getByRole('button', { name: 'every window' }).click();
  await page.keyboard.press('Alt+u');
  const asking = page.getByRole('alertdialog', { name: /^Undo all \d\?$/ });
  await takePicture(page, 'undo-lines-together');
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await expect(asking).toBeHidden();
  await expect(editor.getByText('10 of 10 checked', { exact: true })).toBeVisible();

  await expect(async () => {
    await page.goto('/search?query=quayside');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(['Night tram, line 28'], { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });

  await page.goto(`/video/${id}?edit=transcript`);
  await editor.getByRole('button', { name: 'Undo' }).click();
  await expect(words).toHaveValue('Line twenty eight runs down to the harbour, and this is its last');
  await words.fill('Half a sentence');
  await page.getByRole('banner').getByRole('link').first().click();
  const leaving = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await takePicture(page, 'leave-typed');
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await expect(words).toHaveValue('Half a sentence');
  // Also below a window in which nothing is typed.
  await page.getByRole('button', { name: 'Edit title and details' }).click();
  await expect(page.getByRole('dialog', { name: 'Title and details' })).toBeVisible();
  await page.locator('header a').first().dispatchEvent('click');
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog', { name: 'Title and details' }).getByRole('button', { name: 'Close' }).click();
  await expect(words).toHaveValue('Half a sentence');
  await editor.getByRole('button', { name: 'Done' }).click();
  await expect(page).not.toHaveURL(/edit=/);
  await page.getByRole('button', { name: 'Edit transcript' }).click();
  await expect(words).toHaveValue('Half a sentence');
  await editor.getByRole('button', { name: 'Undo' }).click();
  await expect(words).toHaveValue('Line twenty eight runs down to the harbour, and this is its last');
  await editor.getByRole('button', { name: 'Done' }).click();
  await expect(page).not.toHaveURL(/edit=/);
  await insightsOf(page).getByRole('tab', { name: 'Timeline' }).click();
  await expect(insightsOf(page).getByText('verified', { exact: true }).first()).toBeVisible();
});

test('what is no time confirms no line: it is told, and the field waits to be mended', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${await videoIdOf(page, 'Under the pier')}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const ends = editor.getByLabel('Ends');
  const before = await ends.inputValue();
  await ends.fill('0:0:1,5x');
  for (const press of [() => editor.getByRole('button', { name: 'Accept' }).click(), () => ends.press('Enter')]) {
    await press();
    await expect(editor.getByRole('alert')).toContainText('“0:0:1,5x” is not a time. Write it like 00:00:0');
    await expect(ends).toBeFocused();
    await expect(ends).toHaveValue('0:0:1,5x');
  }
  await takePicture(page, 'mistyped-time');
  await expectAccessible(page);
  await ends.fill(before);
  await expect(editor.getByRole('alert')).toHaveCount(0);
  await expect(editor.getByText('verified', { exact: true })).toHaveCount(0);
});

test('on a Mac Option writes its letters, and the keys are told as they are pressed there', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
  await page.goto(`/video/${await videoIdOf(page, 'Under the pier')}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  await expect(editor.getByRole('textbox', { name: 'Transcript line' })).toBeFocused();
  const begins = editor.getByLabel('Begins');
  const before = await begins.inputValue();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0.3);
  await page.keyboard.press('Alt+BracketLeft');
  await page.keyboard.press('Alt+k');
  await expect(playerOf(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(begins).toHaveValue(before);
  await page.keyboard.press('Control+Alt+k');
  await expect(playerOf(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await editor.getByText('Keyboard shortcuts', { exact: true }).click();
  await expect(editor.getByText('Control Option U')).toBeVisible();
  await takePicture(page, 'edit-lines-keys-of-a-mac');
});

test('an editor has a subtitle file stand in the place of what is said, hears what was left out, and takes it back', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Evening express');
  await page.goto(`/video/${id}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const lines = editor.getByRole('listitem');
  await expect(editor.getByRole('textbox', { name: 'Transcript line' })).toBeFocused();
  const before = await lines.allInnerTexts();
  const chosen = page.waitForEvent('filechooser');
  await editor.getByRole('button', { name: 'Load from a file' }).click();
  const srt = '1\n00:00:01,000 --> 00:00:03,000\nThe express is late.\n\n2\n02:00:00,000 --> 02:00:01,000\nLong gone.\n';
  await (await chosen).setFiles({ name: 'express.srt', mimeType: 'application/x-subrip', buffer: Buffer.from(srt) });
  const told = page.getByRole('status').filter({ hasText: 'express.srt' });
  await expect(told).toContainText('Replaced the transcript with 1 line from express.srt. Note: 1 line past the end of the video ignored.');
  await expect(lines).toHaveCount(1);
  await expect(editor.getByText('1 of 1 checked')).toBeVisible();
  await takePicture(page, 'edit-transcript-file');
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(lines).toHaveCount(before.length);
  expect((await lines.allInnerTexts()).at(-1)).toBe(before.at(-1));
  const again = page.waitForEvent('filechooser');
  await editor.getByRole('button', { name: 'Load from a file' }).click();
  await (await again).setFiles({ name: 'notes.srt', mimeType: 'text/plain', buffer: Buffer.from('nothing to see') });
  await expect(page.getByRole('alert')).toContainText('no lines within the video');
});

test('on a telephone lines are written down right below the player', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/video/${await videoIdOf(page, 'Under the pier')}?edit=transcript`);
  await expect(page.getByRole('textbox', { name: 'Transcript line' })).toBeInViewport({ ratio: 1 });
});

test('who may only watch is offered no editing, by the address neither', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?edit=transcript`);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit transcript' })).toHaveCount(0);
});

test('a line that is read from right to left begins at the right, where it is read and where it is written', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Under the pier');
  const text = 'مرحبا بكم في الميناء.';
  const moment: Moment = { kind: 'Transcript', startMs: 24_000, endMs: 25_500, text, source: 'machine', confidencePercent: 90 };
  const hear = (moments: Moment[]) =>
    publishLayers(archive.database.pool, id, { madeBy: 'a journey', version: 1, layers: [{ name: 'captions', moments }] });
  await hear([moment]);
  await page.goto(`/video/${id}`);
  await insightsOf(page).getByRole('tab', { name: 'Timeline' }).click();
  const line = insightsOf(page).getByText(text);
  await takePicture(page, 'line-from-right-to-left');
  // Its full stop ends it, at the left.
  const [first, last] = await line.evaluate((element) => {
    const node = element.firstChild;
    const at = (n: number) => {
      const range = new Range();
      if (node) range.setStart(node, n);
      if (node) range.setEnd(node, n + 1);
      return range.getBoundingClientRect().left;
    };
    return [at(0), at((node?.textContent ?? '').length - 1)];
  });
  expect(last).toBeLessThan(first ?? 0);
  await page.goto(`/video/${id}?edit=transcript`);
  await page.getByRole('button', { name: text }).click();
  const words = page.getByRole('textbox', { name: 'Transcript line' });
  await expect(words).toHaveValue(text);
  await expect(words).toHaveCSS('unicode-bidi', 'plaintext');
  await takePicture(page, 'edit-line-from-right-to-left');
  await hear([]);
});
