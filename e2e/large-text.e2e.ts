import type { Frame, Page } from '@playwright/test';
import { enterAs, expect, insightsOf, playerOf, test, untilDrawn, videoIdOf } from './journey.ts';

test('who has set their browser to text of twice the size gets it everywhere, and nothing is cut or out of sight', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true, editor: true, admin: true });
  const film = `/video/${await videoIdOf(page, 'Harbour at dusk')}?query=harbour`;
  const paths = [
    '/',
    '/search?query=harbour&skip=0',
    film,
    '/privacy',
    '/admin',
    '/admin/videos',
    '/desk/unfound',
    '/account',
    '/no-such-page',
  ];
  const faults: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('main').first()).not.toHaveAttribute('aria-busy', 'true');
    if (path === film) await untilFramesStand(page);
    await untilDrawn(page);
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await setDefaultSize(page, 16);
      const before = await textSizes(page);
      await setDefaultSize(page, 32);
      const after = await textSizes(page);
      const small = [...after].filter(([text, px]) => px < 1.2 * (before.get(text) ?? 0)).map(([text]) => `not larger: ${text}`);
      const cut = (await Promise.all(page.frames().map(findCut))).flat();
      faults.push(...[...small, ...cut].map((fault) => `${path} at ${width}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

async function untilFramesStand(page: Page): Promise<void> {
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
}

/** What somebody sets in their browser. */
async function setDefaultSize(page: Page, px: number): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
  await browser.detach();
  await expect.poll(() => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))).toBe(px);
}

/** Every text on show, in the page and its frames, and how large it is. */
async function textSizes(page: Page): Promise<Map<string, number>> {
  const sizes = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('body *:not(svg *)')]
            .filter(
              (element) =>
                element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
            )
            .map((element): [string, number] => [
              `${element.className} ${element.textContent?.slice(0, 30)}`,
              Number.parseFloat(getComputedStyle(element).fontSize),
            ]),
        ),
      ),
  );
  return new Map(sizes.flat());
}

/** Texts that do not fit into their boxes, or stand beside the window; and whether it scrolls sideways. */
async function findCut(frame: Frame): Promise<string[]> {
  return await frame.evaluate(() => {
    const scrolls = (element: Element) => [...parents(element)].some((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX));
    function* parents(element: Element) {
      for (let one: Element | null = element; one; one = one.parentElement) yield one;
    }
    const faults: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push(`scrolls sideways by ${root.scrollWidth - root.clientWidth} px`);
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const text = [...element.childNodes].find((node) => node.nodeType === 3 && node.nodeValue?.trim());
      if (!text || !element.checkVisibility() || element.closest('.sr-only, .skip-link, option, svg')) continue;
      const name = `${element.className} “${element.textContent?.slice(0, 30)}”`;
      const range = document.createRange();
      range.selectNodeContents(text);
      const drawn = range.getBoundingClientRect();
      const box = (element.closest('button, .btn, .chip, .tab, .tag, td, li, p') ?? element).getBoundingClientRect();
      const isShortened = [element, element.parentElement ?? element]
        .map((one) => getComputedStyle(one))
        .some(({ textOverflow, webkitLineClamp }) => textOverflow === 'ellipsis' || webkitLineClamp !== 'none');
      if (!isShortened && (drawn.top < box.top - 3 || drawn.bottom > box.bottom + 3)) faults.push(`higher than its box: ${name}`);
      if (!isShortened && !scrolls(element) && (drawn.left < -1 || drawn.right > root.clientWidth + 1))
        faults.push(`out of sight: ${name}`);
    }
    return faults;
  });
}
