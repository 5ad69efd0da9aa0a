import type { Page } from '@playwright/test';
import { pdfText } from '#testing/pdf-text.ts';
import { enterAs, expect, insightsOf, takePicture, test, videoIdOf } from './journey.ts';

test('on paper a video is its title and all that is said, a search its results, without the frame of the page', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  const printed = page.locator('.printed-lines li');
  await expect(printed).toHaveCount(0);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const line = printed.filter({ hasText: 'A tug boat was the last to come home.' });
  await expect(line).toBeVisible();
  // Of Arabic and Hebrew the first letter stands at the right.
  await expect(line.locator('> span').last()).toHaveCSS('unicode-bidi', 'plaintext');
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  const frame = [page.getByRole('banner'), page.getByRole('contentinfo'), page.locator('iframe').first(), page.getByRole('button').first()];
  for (const part of frame) await expect(part).toBeHidden();
  await takePicture(page, 'print-video');
  await page.emulateMedia({ media: 'screen' });
  await expect(printed).toHaveCount(0);
  await page.goto('/search?query=harbour&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('article').first().locator('a.moment').first()).toBeVisible();
  for (const button of await page.getByRole('button').all()) await expect(button).toBeHidden();
  await takePicture(page, 'print-search');
});

test('what comes out of the printer holds all that is said, or all results of the page, and nothing of its frame', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  // Whoever prints sees what is said by then.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.printed-lines li').first()).toBeVisible();
  await page.emulateMedia({ media: null });
  await expect(page.locator('.printed-lines')).toHaveCount(0);
  const film = pdfText(await page.pdf());
  for (const said of ['Harbour at dusk', 'A tug boat was the last to come home.', 'Red to port, and green to starboard.'])
    expect(film).toContain(withoutBlanks(said));
  // The lines were drawn for the paper only.
  await expect(page.locator('.printed-lines')).toHaveCount(0);

  await page.goto('/search?query=harbour&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
  const results = pdfText(await page.pdf());
  for (const title of await page.getByRole('article').getByRole('heading').allInnerTexts()) expect(results).toContain(withoutBlanks(title));
  const frame = [await wordsOf(page, '.practice'), await wordsOf(page, 'footer p')];
  for (const words of frame) for (const paper of [film, results]) expect(paper).not.toContain(words);
  // It would be read if it were there.
  await page.emulateMedia({ media: 'screen' });
  const screen = pdfText(await page.pdf());
  for (const words of frame) expect(screen).toContain(words);
});

async function wordsOf(page: Page, part: string): Promise<string> {
  return withoutBlanks(await page.locator(part).first().innerText());
}

function withoutBlanks(text: string): string {
  return text.replace(/\s/g, '');
}
