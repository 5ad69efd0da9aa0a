import { expect, test } from 'vitest';
import { pageAfterwards } from './page-afterwards.ts';

test.each([
  [['/video/0123456789?t=12'], '/video/0123456789?t=12'],
  [[], '/'],
  [['/video/0123456789', '/video/9876543210'], '/'],
  [['//evil.example/'], '/'],
  [['/login'], '/'],
  [['/activation-pending?returnUrl=%2Factivation-pending'], '/'],
])('4.2 after the activation of somebody who was sent from %j the page is %s', (returnUrls, next) => {
  expect(pageAfterwards(returnUrls)).toBe(next);
});
