import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '#contract/problem.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { foldText } from '../../words/fold-text.ts';

const Entry = z.object({
  id: z.string(),
  cls: z.string(),
  q: z.string().nullish(),
  repeat: z.object({ unit: z.string(), times: z.number() }).optional(),
  status: z.array(z.number()),
});
const entries = readCorpus('search-queries', Entry);
const texts = entries.flatMap((entry) => {
  const text = entry.q ?? entry.repeat?.unit.repeat(entry.repeat.times);
  return text === undefined ? [] : [{ ...entry, text }];
});
const controls = texts.filter(({ cls }) => cls === 'control');

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive(
    Object.fromEntries(controls.map(({ id, text }) => [id, { title: 'Film', said: [`They said ${text} there.`] }])),
  );
});
afterAll(() => archive.drop());

test('any text at all is answered or refused as too long, and ranges lie within what stands in the footage, in order', async () => {
  for (const { id, text, status } of texts) {
    try {
      const { results } = await archive.search(text);
      expect(status, id).toContain(200);
      for (const { matches } of results)
        for (const match of matches) {
          const edges = match.ranges.flat();
          expect(edges, id).toEqual([...new Set(edges)].toSorted((a, b) => a - b));
          expect(edges.at(-1) ?? 0, id).toBeLessThanOrEqual(match.text.length);
          expect(markedTexts(match), id).not.toContain('');
        }
    } catch (error) {
      if (!(error instanceof Problem)) throw new Error(`${id} ${text.slice(0, 60)}`, { cause: error });
      expect(error.code, id).toBe('query_too_long');
      expect(status, id).toContain(400);
    }
  }
});

test('a text without any word finds nothing, and a blank one lists everything', async () => {
  for (const { id, text } of texts.filter(({ cls }) => cls === 'emptyish')) {
    const { results } = await archive.search(text, { pageSize: 100 });
    expect(results.length, id).toBe(text.trim() === '' ? controls.length : 0);
  }
});

test('after all of it every ordinary query still has its hits', async () => {
  for (const { id, text } of controls) expect(await archive.found(text, { pageSize: 100 }), text).toContain(id);
});

test('signs are no wildcards: a percentage does not match an amount', async () => {
  await archive.publish({ dollars: { title: 'Film', said: ['It cost 100 dollars.'] } });
  const found = await archive.found('100%', { pageSize: 100 });
  expect(found).toEqual(['control-014']);
});

test('every corpus text folds without moving what follows it', () => {
  for (const { id, text } of texts.filter(({ text }) => text.length < 2_000)) {
    const surface = `${text} zebra`;
    const folded = foldText(surface);
    const from = folded.text.lastIndexOf('zebra');
    expect(surface.slice(folded.surfaceAt(from), folded.surfaceAt(from + 5)), id).toBe('zebra');
  }
});
