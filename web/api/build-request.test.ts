import { expect, test } from 'vitest';
import { buildRequest } from './build-request.ts';

test('path parameters are encoded and do not come back in the query', () => {
  const request = buildRequest({ method: 'GET', path: '/:location/Videos/:id' }, { location: 'here', id: 'a/b?c', query: 'x' });
  expect(request).toEqual({ method: 'GET', path: '/here/Videos/a%2Fb%3Fc?query=x' });
});

test('a plus sign and a space reach the server as they were typed', () => {
  const { path } = buildRequest({ method: 'GET', path: '/search' }, { query: '+harbour lights' });
  expect(new URL(path, 'http://localhost').searchParams.get('query')).toBe('+harbour lights');
});

test('a list repeats its name and an absent value is left out', () => {
  expect(buildRequest({ method: 'GET', path: '/search' }, { query: ['a', 'b'], id: undefined }).path).toBe('/search?query=a&query=b');
});

test('what a POST carries goes into its body', () => {
  expect(buildRequest({ method: 'POST', path: '/api/thing/:id' }, { id: '7', name: 'x' })).toEqual({
    method: 'POST',
    path: '/api/thing/7',
    body: '{"name":"x"}',
  });
});

test('a missing path parameter is a mistake in the code', () => {
  expect(() => buildRequest({ method: 'GET', path: '/videos/:id' }, {})).toThrow('needs "id"');
});
