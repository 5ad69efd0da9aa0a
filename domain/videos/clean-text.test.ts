import { expect, test } from 'vitest';
import { holdsEmailAddress } from './clean-text.ts';

test.each(['ada@example.test', 'write to <ada.lovelace@mail.example.test>!', '（ada＠example．test）', 'x@y.z@example.test'])(
  'an address is noticed in %j',
  (text) => expect(holdsEmailAddress(text)).toBe(true),
);

test.each(['at 5@home', '@example.test', 'ada@example', 'Ada Lovelace'])('no address is seen in %j', (text) =>
  expect(holdsEmailAddress(text)).toBe(false),
);

test.each(['a'.repeat(1_000_000), `a${'\u0315\u0316'.repeat(500_000)}`, 'a@'.repeat(500_000), `a@${'.a'.repeat(500_000)}`])(
  'a very long text is looked through before the test gives up',
  (text) => expect(holdsEmailAddress(text)).toBe(false),
);
