import { NavigationType } from 'react-router';
import { expect, test } from 'vitest';
import { notePage, openedFrom, readSignInOrigin, sentByGuard } from './sign-in-origin.ts';

let visits = 0;
const at = (pathname: string, search = '') => {
  visits += 1;
  return { pathname, search, hash: '', state: null, key: `${visits}`, unstable_mask: undefined };
};

test('the window stands over the page its link was on', () => {
  const state = openedFrom(at('/search', '?query=harbour'));
  expect(readSignInOrigin(state)).toEqual({ behind: { pathname: '/search', search: '?query=harbour' }, openedBy: 'link' });
});

test('2.2 after a redirect the window stands over the last page that needs no sign-in, and goes one step back to it', () => {
  notePage(at('/search', '?query=tram'), NavigationType.Push);
  notePage(at('/video/3a9220459b'), NavigationType.Push);
  expect(readSignInOrigin(sentByGuard())).toEqual({ behind: { pathname: '/search', search: '?query=tram' }, openedBy: 'link' });
});

test('2.2 with a guarded page before the guarded page, going back would lead into the redirect again', () => {
  notePage(at('/search', '?query=tram'), NavigationType.Push);
  notePage(at('/video/3a9220459b'), NavigationType.Push);
  notePage(at('/video/4b9220459c'), NavigationType.Push);
  expect(readSignInOrigin(sentByGuard())).toEqual({ behind: { pathname: '/search', search: '?query=tram' }, openedBy: 'guard' });
});

test('2.2 reached by going back or forward, nobody knows what lies before the guarded page', () => {
  notePage(at('/search', '?query=tram'), NavigationType.Push);
  notePage(at('/video/3a9220459b'), NavigationType.Pop);
  expect(readSignInOrigin(sentByGuard()).openedBy).toBe('guard');
});

test('opened by its address, or with a history entry that makes no sense, it stands over the home page', () => {
  for (const state of [null, 7, {}, { behind: 5 }, { behind: '/video/3a9220459b' }, { behind: '//evil.example' }, { behind: '/login' }]) {
    expect(readSignInOrigin(state).behind).toEqual({ pathname: '/' });
  }
});
