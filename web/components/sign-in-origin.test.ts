import { expect, test } from 'vitest';
import { noteOpenPage, openedFrom, readSignInOrigin, sentByGuard } from './sign-in-origin.ts';

const at = (pathname: string, search = '') => ({ pathname, search, hash: '', state: null, key: 'default', unstable_mask: undefined });

test('the window stands over the page its link was on', () => {
  const state = openedFrom(at('/search', '?query=harbour'));
  expect(readSignInOrigin(state)).toEqual({ behind: { pathname: '/search', search: '?query=harbour' }, openedBy: 'link' });
});

test('2.2 after a redirect the window stands over the last page that needs no sign-in', () => {
  noteOpenPage(at('/search', '?query=tram'));
  noteOpenPage(at('/video/3a9220459b'));
  expect(readSignInOrigin(sentByGuard())).toEqual({ behind: { pathname: '/search', search: '?query=tram' }, openedBy: 'guard' });
});

test('opened by its address, or with a history entry that makes no sense, it stands over the home page', () => {
  for (const state of [null, 7, {}, { behind: 5 }, { behind: '/video/3a9220459b' }, { behind: '//evil.example' }, { behind: '/login' }]) {
    expect(readSignInOrigin(state).behind).toEqual({ pathname: '/' });
  }
});
