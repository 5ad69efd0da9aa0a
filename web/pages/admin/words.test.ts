import { expect, test } from 'vitest';
import { activityWords, hasObject } from './activity-words.ts';

test('activity is told in words', () => {
  expect(activityWords({ action: 'role-granted', detail: 'viewer' })).toBe('gave Watch to');
  expect(activityWords({ action: 'role-removed', detail: 'admin' })).toBe('removed Admin from');
  expect(activityWords({ action: 'role-granted', detail: 'editor' })).toBe('gave Edit Videos to');
  expect(activityWords({ action: 'user-deleted', detail: '' })).toBe('deleted');
});

test('what people do to themselves names nobody else', () => {
  const ada = { uid: 'ada', displayName: 'Ada', email: '' };
  const bob = { uid: 'bob', displayName: 'Bob', email: '' };
  expect(hasObject({ actor: ada, subject: bob, action: 'role-granted' })).toBe(true);
  expect(hasObject({ actor: null, subject: bob, action: 'role-granted' })).toBe(true);
  expect(hasObject({ actor: bob, subject: bob, action: 'account-deleted' })).toBe(false);
  expect(hasObject({ actor: null, subject: bob, action: 'signed-up' })).toBe(false);
});
