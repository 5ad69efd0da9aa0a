import { expect, test } from 'vitest';
import { commandOf } from './shortcuts.ts';

const plain = { code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
const nowhere = { role: '', isTyping: false };

test('every key of the player does what its list says', () => {
  expect(commandOf({ ...plain, key: ' ' }, nowhere)).toBe('toggle-play');
  expect(commandOf({ ...plain, key: 'K' }, nowhere)).toBe('toggle-play');
  expect(commandOf({ ...plain, key: 'ArrowLeft' }, nowhere)).toBe('back-5');
  expect(commandOf({ ...plain, key: '.' }, nowhere)).toBe('next-frame');
  expect(commandOf({ ...plain, key: 'n' }, nowhere)).toBe('next-match');
  expect(commandOf({ ...plain, key: 'N', shiftKey: true }, nowhere)).toBe('previous-match');
  expect(['[', ']'].map((key) => commandOf({ ...plain, key }, nowhere))).toEqual(['previous-shot', 'next-shot']);
  expect(commandOf({ ...plain, key: '?', shiftKey: true }, nowhere)).toBe('show-help');
});

test('on a keyboard of another alphabet the place of a key counts', () => {
  expect(commandOf({ ...plain, key: 'л', code: 'KeyK' }, nowhere)).toBe('toggle-play');
  expect(commandOf({ ...plain, key: 'Т', code: 'KeyN', shiftKey: true }, nowhere)).toBe('previous-match');
  expect(commandOf({ ...plain, key: 'ı', code: 'KeyI' }, nowhere)).toBe('mark-in');
  // A French K stands where the K is; its A where an English Q is.
  expect(commandOf({ ...plain, key: 'm', code: 'Semicolon' }, nowhere)).toBe('toggle-mute');
});

test('up and down move the position where it has the focus, and change the sound elsewhere', () => {
  const slider = { role: 'slider', isTyping: false };
  const onSlider = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].map((key) => commandOf({ ...plain, key }, slider));
  expect(onSlider).toEqual(['forward-5', 'back-5', 'forward-10', 'back-10']);
  expect(commandOf({ ...plain, key: 'ArrowUp' }, nowhere)).toBe('louder');
});

test('keys stay with the browser while somebody types or holds a modifier', () => {
  expect(commandOf({ ...plain, key: 'k' }, { role: '', isTyping: true })).toBeNull();
  expect(commandOf({ ...plain, key: 'f', ctrlKey: true }, nowhere)).toBeNull();
  expect(commandOf({ ...plain, key: 'f', ctrlKey: true, altKey: true }, nowhere)).toBeNull();
  expect(commandOf({ ...plain, key: '[', ctrlKey: true }, nowhere)).toBeNull();
  expect(commandOf({ ...plain, key: ']', altKey: true, metaKey: true }, nowhere)).toBeNull();
});

test('brackets are keys on keyboards that write them with AltGr, or with Option', () => {
  for (const held of [{ ctrlKey: true, altKey: true }, { altKey: true }]) {
    expect(['[', ']'].map((key) => commandOf({ ...plain, ...held, key }, nowhere))).toEqual(['previous-shot', 'next-shot']);
  }
});

test('what a panel, a tab or a radio button does with a key stays with it', () => {
  const focused = (role: string, isInPanel = false) => ({ role, isTyping: false, isInPanel });
  expect(commandOf({ ...plain, key: 'ArrowDown' }, focused('section', true))).toBeNull();
  expect(commandOf({ ...plain, key: 'ArrowRight' }, focused('section', true))).toBe('forward-5');
  expect(['tab', 'radio', 'summary'].map((role) => commandOf({ ...plain, key: ' ' }, focused(role)))).toEqual([null, null, null]);
  expect(commandOf({ ...plain, key: ' ', shiftKey: true }, nowhere)).toBeNull();
});

test('a button keeps its space bar and a range its arrows', () => {
  expect(commandOf({ ...plain, key: ' ' }, { role: 'button', isTyping: false })).toBeNull();
  expect(commandOf({ ...plain, key: 'k' }, { role: 'button', isTyping: false })).toBe('toggle-play');
  expect(commandOf({ ...plain, key: 'ArrowUp' }, { role: 'range', isTyping: false })).toBeNull();
});
