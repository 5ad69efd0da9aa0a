import AxeBuilder from '@axe-core/playwright';
import { expect, insightsOf, playerOf, signInAs, test, videoIdOf } from './journey.ts';

const screens: [name: string, path: string][] = [
  ['home', '/'],
  ['search', '/search?query=harbour&skip=0'],
  ['no matches', '/search?query=zzyzzx+qwyrtlp&skip=0'],
  ['login', '/login'],
  ['not found', '/no-such-page'],
  ['privacy', '/privacy'],
];

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1_440, 390]) {
    test(`axe finds nothing on the open pages, ${theme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const [name, path] of screens) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
      }
    });

    test(`axe finds nothing on the video page and its frames, ${theme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/login');
      await signInAs(page, 'Victor Viewer');
      await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?query=harbour`);
      await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
      await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
    });
  }
}

test('nothing scrolls sideways at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const [name, path] of screens) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, name).toBeLessThanOrEqual(0);
  }
});

test('a new page moves the focus to its heading, and a skip link leads past the header', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeFocused();
});
