import { expect, test } from 'vitest';
import { readEmbedMessage } from './embed-messages.ts';

const origin = 'https://archive.example';
const player = { name: 'player' } as unknown as Window;
const stranger = { name: 'stranger' } as unknown as Window;
const from = { origin, source: player };

test('a message is read when origin and source are the sender expected', () => {
  expect(readEmbedMessage({ origin, source: player, data: { time: 12.5, origin } }, from)).toEqual({ time: 12.5 });
});

test('a message of another origin or another window is dropped', () => {
  expect(readEmbedMessage({ origin: 'https://evil.example', source: player, data: { time: 1 } }, from)).toBeNull();
  expect(readEmbedMessage({ origin, source: stranger, data: { time: 1 } }, from)).toBeNull();
  expect(readEmbedMessage({ origin, source: null, data: { time: 1 } }, { origin, source: null })).toBeNull();
});

test('a message without a word of ours, or with a wrong value, is dropped', () => {
  const found = { id: 'a', kind: 'Transcript', startInSeconds: 3, text: 'a boat', ranges: [[2, 6]], lines: [1] };
  expect(readEmbedMessage({ origin, source: player, data: { found: [found] } }, from)).toEqual({ found: [found] });
  const wrong = [{ ...found, ranges: [['2', 6]] }, { ...found, kind: 'Weather' }, { ...found, text: 7 }, null].map((one) => ({
    found: [found, one],
  }));
  for (const data of [...wrong, null, 'play', 7, {}, { other: 1 }, { time: '12' }, { time: -1 }, { time: Number.NaN }, { play: 'yes' }]) {
    expect(readEmbedMessage({ origin, source: player, data }, from)).toBeNull();
  }
});
