import type { Locator, Page } from '@playwright/test';
import { enterAs, expect, insightsOf, playerOf, test, videoIdOf } from './journey.ts';

test('where a finger presses, what is pressed is as big as one', async ({ browser, archive }) => {
  const dialog = (page: Page) => page.getByRole('dialog');
  const touched = { baseURL: archive.origin, hasTouch: true, isMobile: true };
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1_180, height: 820 },
  ]) {
    const context = await browser.newContext({ ...touched, viewport });
    const page = await context.newPage();
    await page.goto('/login');
    await expect(dialog(page).getByRole('button').first()).toBeVisible();
    expect.soft(await tooSmall(dialog(page)), 'sign-in').toEqual([]);
    await enterAs(page, archive, { viewer: true });
    await page.goto('/search?query=harbour&skip=0');
    await expect(page.getByRole('article').first()).toBeVisible();
    for (const part of ['.header', '.match-key', '.result >> nth=0', '.footer'])
      expect.soft(await tooSmall(page.locator(part)), part).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await page.getByRole('button', { name: 'Search help' }).tap();
    await expect(dialog(page)).toBeVisible();
    expect.soft(await tooSmall(dialog(page)), 'search help').toEqual([]);
    await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=21&query=starboard`);
    await playerOf(page).getByRole('button', { name: 'Pause' }).tap();
    expect.soft(await tooSmall(playerOf(page).getByRole('main')), 'player').toEqual([]);
    await expect(insightsOf(page).getByRole('listitem').first()).toBeVisible();
    expect.soft(await tooSmall(insightsOf(page).getByRole('main')), 'lines').toEqual([]);
    await insightsOf(page).getByRole('tab', { name: 'Insights' }).tap();
    await expect(insightsOf(page).locator('.lane').first()).toBeVisible();
    expect.soft(await tooSmall(insightsOf(page).getByRole('main')), 'insights').toEqual([]);
    expect.soft(await tooSmall(page.locator('.vh1, .req')), 'around the film').toEqual([]);
    await context.close();
  }
});

/** What is pressed here and takes no finger of 44 px, with its size: a link within a sentence is as high as that. */
async function tooSmall(part: Locator): Promise<string[]> {
  const found = await part.evaluateAll((parts) => {
    const pressed = 'a[href]:not(.link), button, input, select, textarea, summary, [role=tab], [role=option], [role=slider]';
    const isShown = (one: Element) =>
      one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
    const takes = (one: Element) => {
      one.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = one.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const reach = 21.5;
      return [
        [x - reach, y],
        [x + reach, y],
        [x, y - reach],
        [x, y + reach],
      ].every(([atX = 0, atY = 0]) => one.contains(document.elementFromPoint(atX, atY)));
    };
    return parts
      .flatMap((one) => [...one.querySelectorAll(pressed)])
      .filter((one) => isShown(one) && one.closest('[inert], [aria-hidden=true]') === null)
      .flatMap((one) => {
        const { width, height } = one.getBoundingClientRect();
        return (width >= 43.9 && height >= 43.9) || takes(one) ? [] : [`${width} × ${height} ${one.outerHTML.slice(0, 160)}`];
      });
  });
  return found;
}
