import type { Page } from '@playwright/test';
import { linkSentTo } from '#testing/practice-mailbox.ts';
import { expect, type JourneyArchive, test } from './journey.ts';

test('2.2 2.3 4.1 5.1 8.1 on one device: asked for, sent, opened, and in, back where it began', async ({ page, archive, context }) => {
  const email = 'ines@one.example';
  await page.goto('/login?returnUrl=%2Fsearch%3Fquery%3Dharbour');
  await page.getByRole('link', { name: 'Sign in with email' }).click();
  const send = page.getByRole('button', { name: 'Sign in with email' });
  await expect(send).toBeDisabled();
  // Neither is enough without the other, and blanks are no name.
  for (const [name, address] of [
    ['', email],
    ['  ', email],
    ['Ines Caldeira', ''],
  ] as const) {
    await page.getByLabel('Full name').fill(name);
    await page.getByLabel('E-mail').fill(address);
    await expect(send).toBeDisabled();
  }
  const message = page.getByRole('alert');
  for (const badly of ['ines', 'ines@', 'ines@caldeira']) {
    await page.getByLabel('E-mail').fill(badly);
    await send.click();
    await expect(message).toHaveText('The email address is badly formatted.');
  }
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('The email address is badly formatted.');
  const [field, below] = [await page.getByLabel('E-mail').boundingBox(), await message.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
  const [red = 0, green = 0, blue = 0] = (await message.evaluate((one) => getComputedStyle(one).color)).match(/\d+/g)?.map(Number) ?? [];
  expect(red).toBeGreaterThan(1.5 * Math.max(green, blue));
  await page.getByLabel('E-mail').fill(email);
  // What says it stands there before it is said: only then it is read aloud.
  const said = await page.getByRole('dialog').getByRole('status').elementHandle();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Thanks! We have sent you an email with your login link.' })).toBeVisible();
  expect(await said?.textContent()).toContain('Thanks!');
  await expect(send).toBeDisabled();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('readonly');
  expect(await stored(page)).toContain(email);

  const opened = await context.newPage();
  const link = await linkSentTo(archive.origin, email);
  await opened.goto(link);
  await expect(opened).toHaveURL('/search?query=harbour');
  await expect(opened.getByRole('button', { name: /Ines Caldeira/ })).toBeVisible();
  // The tab that waited moves on as well.
  await expect(page).toHaveURL('/search?query=harbour');
  expect(await stored(page)).not.toContain(email);
  // A link that has done its work, opened again by whoever it let in.
  await opened.goto(link);
  await expect(opened.getByRole('link', { name: 'Continue as Ines Caldeira' })).toBeVisible();
  await opened.getByLabel('E-mail').fill(email);
  await opened.keyboard.press('Enter');
  await expect(opened.getByRole('dialog', { name: 'You are already signed in' })).toBeVisible();
  await opened.getByRole('link', { name: 'Continue as Ines Caldeira' }).click();
  await expect(opened).toHaveURL('/search?query=harbour');
});

test('6.4 a long search in Cyrillic is what a guest comes back to, and a name that is none is told below the name', async ({
  page,
  archive,
}) => {
  const email = 'ines@long.example';
  const query = 'ш'.repeat(400);
  await page.goto(`/search?${new URLSearchParams({ query })}`);
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Sign in with email' }).click();
  await page.getByLabel('Full name').fill('...');
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Full name')).toBeFocused();
  await expect(page.getByLabel('Full name')).toHaveAccessibleDescription(/Enter a name with at least one letter or digit/);
  await page.getByLabel('Full name').fill('Ines Caldeira');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Thanks! We have sent you an email with your login link.' })).toBeVisible();
  await page.goto(await linkSentTo(archive.origin, email));
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBe(query);
  await expect(page.getByRole('button', { name: /Ines Caldeira/ })).toBeVisible();
});

test('whoever begins to type before the page is drawn stays in the field they chose', async ({ page }) => {
  await page.goto('/login');
  // The window has the focus: from here on nothing is drawn before it is asked for.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
  await page.evaluate(() => {
    const held: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (draw) => held.push(draw);
    window.cancelAnimationFrame = (number) => void held.splice(number - 1, 1, () => {});
    window.addEventListener('draw', () => {
      for (const draw of held.splice(0)) draw(performance.now());
    });
  });
  await page.getByRole('link', { name: 'Sign in with email' }).click();
  await page.getByLabel('E-mail').focus();
  await page.evaluate(() => window.dispatchEvent(new Event('draw')));
  await page.keyboard.type('ines@quick.example');
  await expect(page.getByLabel('E-mail')).toHaveValue('ines@quick.example');
});

test('5.2 on another device the address is asked for, another one signs nobody in, and closing neither', async ({
  page,
  archive,
  browser,
}) => {
  const email = 'ines@other.example';
  const link = await askFor(page, archive, email);
  const elsewhere = await browser.newContext({ baseURL: archive.origin });
  const other = await elsewhere.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'One last check' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Sign in with email' })).toBeDisabled();
  await other.getByLabel('E-mail').fill('somebody');
  await other.getByRole('button', { name: 'Sign in with email' }).click();
  await expect(other.getByRole('alert')).toBeVisible();
  await other.getByLabel('E-mail').fill('somebody@other.example');
  await other.getByRole('button', { name: 'Sign in with email' }).click();
  await expect(other.getByRole('alert')).toContainText('does not match');
  await other.keyboard.press('Escape');
  await expect(other).toHaveURL('/');
  await expect(other.getByRole('link', { name: 'Login' })).toBeVisible();
  await other.goto(link);
  await other.getByLabel('E-mail').fill(email);
  await other.keyboard.press('Enter');
  await expect(other.getByRole('button', { name: /Ines Caldeira/ })).toBeVisible();
  expect(new URL(other.url()).search).toBe('');

  // Used: one wording, and the way to a new link, which keeps where it was to lead.
  await page.goto(`${link}&returnUrl=%2Fsearch`);
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.');
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page).toHaveURL('/login-email?returnUrl=%2Fsearch');
  await elsewhere.close();
});

test('3.1 5.2 who is known keeps their name, an address waited for in vain is asked for anew, and a link replaces who was signed in', async ({
  page,
  archive,
}) => {
  const email = 'known@three.example';
  await page.goto(await askFor(page, archive, email));
  await expect(page.getByRole('button', { name: /Ines Caldeira/ })).toBeVisible();
  // Somebody else's address is waited for in this browser.
  await page.evaluate(() => localStorage.setItem('rushes-waiting-address', 'another@three.example'));
  const renamed = await linkFor(page, { email, displayName: 'Renamed' });
  await page.goto(`${(await linkSentTo(archive.origin, email)).replace(/displayname=\w+/, 'displayname=Evil')}`);
  expect(renamed).toBe(202);
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: /Ines Caldeira/ })).toBeVisible();
  await linkFor(page, { email: 'fourth@three.example', displayName: 'Fourth Person' });
  // `/login-email` completes a sign-in as well.
  await page.goto((await linkSentTo(archive.origin, 'fourth@three.example')).replace('/login-email-link', '/login-email'));
  await page.getByLabel('E-mail').fill('fourth@three.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Fourth Person/ })).toBeVisible();
});

/** Asks for a link in this browser, which then waits for it. */
async function askFor(page: Page, { origin }: JourneyArchive, email: string): Promise<string> {
  await page.goto('/login-email');
  await page.getByLabel('Full name').fill('Ines Caldeira');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Sign in with email' }).click();
  await expect(page.getByText('Thanks!')).toBeVisible();
  return await linkSentTo(origin, email);
}

/** Has a link sent without this browser waiting for it. */
async function linkFor(page: Page, person: { email: string; displayName: string }): Promise<number> {
  const answer = await page.request.post('/api/sign-in-links', { data: person, headers: { origin: new URL(page.url()).origin } });
  return answer.status();
}

async function stored(page: Page): Promise<string> {
  return await page.evaluate(() => JSON.stringify(localStorage));
}
