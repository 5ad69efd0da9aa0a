import { expect, test } from 'vitest';
import { aSearchItem } from '#testing/a-search-item.ts';
import { faultOf } from './check-answer.ts';
import { figuresOf } from './http-load.ts';
import { newcomerFigures, newcomersOf } from './newcomers.ts';
import { makeVideos } from './search-corpus.ts';

const wholly = { finds: true, wholly: true };

function answerOf(results: object[], changed: object = {}) {
  const body = JSON.stringify({ results, nextPage: { pageSize: 12, skip: 12, done: true } });
  return { status: 200, contentType: 'application/json; charset=utf-8', body, ...changed };
}

const match = { startTime: '00:00:05', type: 'Transcript', text: 'one giant leap', exactText: 'giant' };

test('an answer with results and what they mark is no fault, and neither is an empty one where nothing is to be found', () => {
  expect(faultOf(answerOf([aSearchItem({ id: 'a', searchMatches: [match] })]), wholly)).toBeNull();
  expect(faultOf(answerOf([]), { finds: false, wholly: true })).toBeNull();
});

test('an error page, another shape, a lost result and a mark that is not in the text are faults', () => {
  const item = aSearchItem({ id: 'a', searchMatches: [match] });
  expect(faultOf(answerOf([item], { status: 503 }), wholly)).toBe('status 503');
  expect(faultOf(answerOf([item], { contentType: 'text/html' }), wholly)).toBe('type text/html');
  expect(faultOf(answerOf([item], { body: '{"ErrorType":"GENERAL"}' }), { finds: true, wholly: false })).toBe('no answer of a search');
  expect(faultOf(answerOf([{ ...item, name: 5 }]), wholly)).toBe('another shape');
  expect(faultOf(answerOf([]), wholly)).toBe('nothing found');
  expect(faultOf(answerOf([aSearchItem({ id: 'a', searchMatches: [] })]), wholly)).toBe('results without a match');
  const marked = aSearchItem({ id: 'a', searchMatches: [{ ...match, exactText: 'small' }] });
  expect(faultOf(answerOf([marked]), wholly)).toBe('marks what is not there');
});

test('what failed counts as an error, and not into rate and times', () => {
  const figures = figuresOf({ seconds: 2, timesMs: [10, 20, 30, 40], faults: ['status 503', 'status 503'] });
  expect(figures).toEqual({ rps: 2, p50Ms: 30, p95Ms: 40, maxMs: 40, errors: 2 });
});

test('a video that is never found is missed, whatever the others took', () => {
  expect(newcomerFigures([400, null, 900])).toEqual({ added: 3, foundP50Ms: 900, foundMaxMs: 900, missed: 1 });
});

test('every newcomer has an id and a word that no other video has', () => {
  const spoken = { isReal: false, lines: ['one', 'two', 'three', 'four'], titles: ['film'], names: ['Ada'], labels: ['sky'] };
  const made = () => makeVideos(spoken, { videos: 40, moments: 3 });
  const newcomers = [...newcomersOf(made(), 'added'), ...newcomersOf(made(), 'imported')];
  expect(new Set(newcomers.map(({ id }) => id)).size).toBe(80);
  expect(new Set(newcomers.map(({ word }) => word)).size).toBe(80);
  for (const { word, lines } of newcomers) expect(lines.filter(({ text }) => text.includes(word))).toHaveLength(1);
});
