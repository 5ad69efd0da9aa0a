import { expect, test } from 'vitest';
import { lookOut } from './look-alikes.ts';

const active = [
  { uid: 'ada', displayName: 'Ada Lovelace', email: 'ada@studio-north.example' },
  { uid: 'jo', displayName: 'Zoë Müller', email: 'zoe@xn--mnchen-3ya.example' },
  { uid: 'none', displayName: '李雷', email: '' },
];

test.each<[name: string, email: string, cautions: string[]]>([
  ['Grace Hopper', 'grace@navy.example', []],
  ['Анна', 'anna@post.example', []],
  ['Анна Smith', 'anna@post.example', []],
  ['山田Taro', 'taro@post.example', []],
  ['Adm\u0456n', 'x@post.example', ['mixed-scripts']],
  ['\u0391dmin', 'x@post.example', ['mixed-scripts']],
  ['Ada Lovelace', 'ada@elsewhere.example', ['same-name']],
  ['  ADA  lovelace ', 'ada@elsewhere.example', ['same-name']],
  ['Zoe Muller', 'zm@post.example', ['same-name']],
  ['\u0410d\u0430 L\u043ev\u0435l\u0430c\u0435', 'x@post.example', ['mixed-scripts', 'same-name']],
  ['Ada L0velace', 'x@post.example', ['same-name']],
  ['李雷', '', ['same-name']],
  ['Someone', 'ada@studio-north.example', ['similar-address']],
  ['Someone', 'ada@studlo-north.example', ['similar-address']],
  ['Someone', 'ada@studio-n0rth.example', ['similar-address']],
  ['Someone', 'ada@studio-nort.example', ['similar-address']],
  ['Someone', 'ada@studio-north.exarnple', ['similar-address']],
  ['Someone', 'zoe@munchen.example', ['similar-address']],
  ['Someone', 'ida@studio-north.example', []],
  ['Someone', 'ada@post.example', []],
  ['Someone', '', []],
  ['???', '', []],
])('somebody new called %j at %j is shown with %j', (displayName, email, expected) => {
  expect(lookOut(active)({ uid: 'new', displayName, email })).toEqual(expected);
});

test('nobody is taken for a copy of themselves', () => {
  expect(lookOut(active)({ uid: 'ada', displayName: 'Ada Lovelace', email: 'ada@studio-north.example' })).toEqual([]);
});
