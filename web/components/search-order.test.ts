import { expect, test } from 'vitest';
import { listOrders, readOrder, resultOrders, writeOrder } from './search-order.ts';

test('the order lives in the address, and the best match needs no word there', () => {
  const params = new URLSearchParams('query=harbour&skip=0');
  expect(readOrder(params, resultOrders)).toBe('best');
  expect(writeOrder(params, 'moments').toString()).toBe('query=harbour&skip=0&sort=moments');
  expect(readOrder(writeOrder(params, 'moments'), resultOrders)).toBe('moments');
  expect(writeOrder(writeOrder(params, 'longest'), 'best').toString()).toBe('query=harbour&skip=0');
});

test('an order that makes no sense here is none', () => {
  expect(readOrder(new URLSearchParams('sort=nonsense'), resultOrders)).toBe('best');
  expect(readOrder(new URLSearchParams('sort=moments'), listOrders)).toBe('best');
  expect(readOrder(new URLSearchParams('sort=longest'), listOrders)).toBe('longest');
});
