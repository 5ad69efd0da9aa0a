import { test as base, expect, type Page } from '@playwright/test';
import { type PreparedArchive, startPreparedArchive } from '#testing/prepared-archive.ts';

type Archive = Awaited<ReturnType<typeof startPreparedArchive>>;

/** A journey's test: each worker has a running archive of its own, with the sample films in it. */
export const test = base.extend<object, { archive: Archive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const prepared: PreparedArchive = JSON.parse(process.env.RUSHES_TEST_PREPARED ?? '{}');
      const archive = await startPreparedArchive(prepared);
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ archive }, use) => {
    await use(archive.origin);
  },
});

export { expect };

export type PracticePerson = 'Nora Newcomer' | 'Victor Viewer' | 'Edda Editor' | 'Ada Admin';

/** Signs in through the Google button and the practice identity provider, as a person would. */
export async function signInAs(page: Page, person: PracticePerson): Promise<void> {
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: /Google/ }).click();
  const provider = await popup;
  await provider
    .getByRole('button', { name: new RegExp(person) })
    .or(provider.getByRole('link', { name: new RegExp(person) }))
    .click();
}
