import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('no text of a visitor can forge a line of the log or colour a terminal', () => {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line)).warn('query', { text: 'a\r\nINFO forged\u001b[31m' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
});

test('what stands below the lowest level is not written', () => {
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  log.info('quiet');
  log.error('loud', { error: new Error('why') });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', event: 'loud', error: { message: 'why' } }]);
});
