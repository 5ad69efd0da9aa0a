import { expect, test } from 'vitest';
import { explainEmptyQuery } from '#contract/find-words.ts';
import { parseQuery } from './parse-query.ts';

test.each([
  ['-harbour', 'leaves-out'],
  ['-person:"Ada Lovelace" −tram', 'leaves-out'],
  ['-title:"never closed', 'leaves-out'],
  ['-id:0123456789', 'leaves-out'],
  ['-(moon OR luna)', 'leaves-out'],
  ['said:%', 'field-alone'],
  ['-', 'no-word'],
  ['"', 'no-word'],
  ['((((', 'no-word'],
  ['%', 'no-word'],
  ['🎞️', 'no-word'],
])('%s looks for nothing, as the search reads it', (query, why) => {
  const { concepts, ids } = parseQuery(query, { languages: [] });
  expect([explainEmptyQuery(query), concepts, ids]).toEqual([why, [], []]);
});

test.each([
  'harbour',
  'harbour -tram',
  '-foo:"a b"',
  '" -harbour',
  '-tram harbour',
  'e-mail',
  '-(moon) luna',
  '"-harbour"',
  'tram|-harbour rain',
  'id:0123456789',
  'person:Ada',
  '東京',
  '9/11',
])('%s looks for something, as the search reads it', (query) => {
  const { concepts, ids } = parseQuery(query, { languages: [] });
  expect([explainEmptyQuery(query), concepts.length + ids.length > 0]).toEqual([null, true]);
});

test.each(['person:', 'WHO:', ' title: '])('%s names a field and nothing to look for there', (query) => {
  expect(explainEmptyQuery(query)).toBe('field-alone');
});
