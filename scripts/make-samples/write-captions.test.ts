import { expect, test } from 'vitest';
import { writeCaptions } from './write-captions.ts';

test('a sentence in two parts becomes two captions that meet', () => {
  const captions = [
    { startSeconds: 1.2, endSeconds: 3.05, text: 'and then the harbour lights came' },
    { startSeconds: 3.05, endSeconds: 64.5, text: 'on, one after another.' },
  ];
  expect(writeCaptions([{ file: 'spoken.wav', atSeconds: 1, captions }])).toBe(
    [
      'WEBVTT',
      '',
      '00:00:01.200 --> 00:00:03.050',
      'and then the harbour lights came',
      '',
      '00:00:03.050 --> 00:01:04.500',
      'on, one after another.',
      '',
    ].join('\n'),
  );
});
