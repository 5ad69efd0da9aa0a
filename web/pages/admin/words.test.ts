import { expect, test } from 'vitest';
import { describeActivity, describeAge, describeAttention, doerBehind, hasObject } from './words.ts';

test('activity is told in words', () => {
  expect(describeActivity({ action: 'role-granted', before: '', detail: 'viewer' })).toBe('gave Watch to');
  expect(describeActivity({ action: 'role-removed', before: '', detail: 'admin' })).toBe('removed Admin from');
  expect(describeActivity({ action: 'role-granted', before: '', detail: 'editor' })).toBe('gave Edit Videos to');
  const words = (before: string, detail: string) => describeActivity({ action: 'fact-changed', before, detail });
  expect([words('Oslo', 'Bergen'), words('', 'Oslo'), words('Oslo', '')]).toEqual([
    'changed “Oslo” to “Bergen” in',
    'added “Oslo” to',
    'removed “Oslo” from',
  ]);
  expect(describeActivity({ action: 'user-deleted', before: '', detail: '' })).toBe('deleted');
  expect(describeActivity({ action: 'person-named', before: '', detail: 'Ann' })).toBe('named “Ann” in');
  expect(describeActivity({ action: 'person-named', before: '', detail: '' })).toBe('named someone in');
  const named = (before: string) => describeActivity({ action: 'person-named', before, detail: '' });
  expect([named('Ann'), named('Unknown 2')]).toEqual(['took “Ann” off a face in', 'named someone in']);
  expect(describeActivity({ action: 'person-forgotten', before: '', detail: '' })).toBe('forgot someone in');
});

test('what a worker and the sweep did without anybody is not said to be the operator’s doing', () => {
  expect(['worker', 'the sweep', 'command line'].map((from) => doerBehind({ from }))).toEqual([
    'The archive',
    'The archive',
    'The operator',
  ]);
});

test('what people do to themselves names nobody else', () => {
  const ada = { uid: 'ada', displayName: 'Ada', email: '' };
  const bob = { uid: 'bob', displayName: 'Bob', email: '' };
  expect(hasObject({ actor: ada, subject: bob, action: 'role-granted' })).toBe(true);
  expect(hasObject({ actor: null, subject: bob, action: 'role-granted' })).toBe(true);
  expect(hasObject({ actor: bob, subject: bob, action: 'account-deleted' })).toBe(false);
  expect(hasObject({ actor: null, subject: bob, action: 'signed-up' })).toBe(false);
});

const hourMs = 3_600_000;

test('9.6 who waits is due soon after 20 hours and overdue after 24', () => {
  const cases: [hours: number, words: string, urgency: string | null][] = [
    [-1, 'just now', null],
    [0.5, '30 minutes ago', null],
    [1, '1 hour ago', null],
    [19.99, '19 hours ago', null],
    [20, '20 hours ago', 'due soon'],
    [23.99, '23 hours ago', 'due soon'],
    [24, '24 hours ago', 'overdue'],
    [47.99, '47 hours ago', 'overdue'],
    [48, '2 days ago', 'overdue'],
  ];
  for (const [hours, words, urgency] of cases) expect(describeAge(hours * hourMs), `${hours} h`).toEqual({ words, urgency });
});

test('what waits for an administrator is worded by number, and nothing is said where nothing waits', () => {
  const words = (waiting: number, failedFilms: number, foundNothing: number) =>
    describeAttention({ waiting, failedFilms, foundNothing }).map((each) => each.words);
  expect(words(1, 1, 3)).toEqual(['one waiting', 'one video failed', 'three searches found nothing']);
  expect(words(0, 12, 1)).toEqual(['twelve videos failed', 'one search found nothing']);
  expect(words(1_300, 0, 0)).toEqual(['1,300 waiting']);
  expect(words(0, 0, 0)).toEqual([]);
});
