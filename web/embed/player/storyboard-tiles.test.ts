import { expect, test } from 'vitest';
import { stripSeconds, tileAt } from './storyboard-tiles.ts';

const storyboard = { tileWidth: 160, tileHeight: 90, columns: 5, rows: 2, count: 8, intervalSeconds: 2 };

test('a second shows its own tile, scaled so that it covers the box', () => {
  expect(tileAt(storyboard, 12, { widthPx: 80, heightPx: 45 })).toEqual({
    backgroundSize: '400px 90px',
    backgroundPosition: '-80px -45px',
  });
});

test('a box of another shape is covered from the middle of the tile', () => {
  expect(tileAt(storyboard, 0, { widthPx: 45, heightPx: 45 })).toEqual({ backgroundSize: '400px 90px', backgroundPosition: '-17.5px 0px' });
});

test('a second past the last tile shows the last tile', () => {
  expect(tileAt(storyboard, 999, { widthPx: 160, heightPx: 90 }).backgroundPosition).toBe('-320px -90px');
});

test('a strip is filled with stills at the middle of their stretch of film', () => {
  expect(stripSeconds(storyboard, { widthPx: 320, heightPx: 45 }, 40)).toEqual([5, 15, 25, 35]);
});
