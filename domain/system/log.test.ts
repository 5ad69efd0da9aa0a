import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog, sayTo } from './log.ts';

test('no text of a visitor can forge a line of the log or colour a terminal', () => {
  const lines: string[] = [];
  createLog('web', 'info', (line) => lines.push(line)).warn('query', { text: 'a\r\nINFO forged\u001b[31m' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
});

test('what stands below the lowest level is not written', () => {
  const lines: string[] = [];
  const log = createLog('web', 'warn', (line) => lines.push(line));
  log.info('quiet');
  log.error('loud', { error: new Error('why') });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', event: 'loud', error: { message: 'why' } }]);
});

test('a sentence is a line with what it is about, and no error text brings a token, a password or a query into it', () => {
  const lines: string[] = [];
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmVkLWJ5LW5vYm9keQ';
  const causes = [
    `GET https://video.example/Search?query=my+neighbour&accessToken=${token} failed`,
    'connect postgres://app:correct-horse@db.example/rushes',
    `Authorization: Bearer ${token}; {"client_secret": "s3cr3t-of-ours"}`,
    'SecretAccessKey=AKIAEXAMPLEKEY',
  ];
  for (const text of causes)
    sayTo(createLog('ingest', 'info', (line) => lines.push(line)))(text, { video: 'abc', step: 'probe', error: new Error(text) });
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    causes.map(() => ({
      time: expect.any(String),
      level: 'warn',
      process: 'ingest',
      event: expect.any(String),
      video: 'abc',
      step: 'probe',
      error: expect.objectContaining({ name: 'Error', message: expect.any(String), stack: expect.any(String) }),
    })),
  );
  const text = lines.join('');
  for (const secret of [token, 'neighbour', 'correct-horse', 's3cr3t-of-ours', 'AKIAEXAMPLEKEY']) expect(text).not.toContain(secret);
  expect(text).toContain('https://video.example/Search');
});

test.each([
  ['is thrown', "setTimeout(() => { throw new Error('a bug'); })"],
  ['nobody caught', "Promise.reject(new Error('a bug'))"],
  ['ends its main file', "await Promise.reject(new Error('a bug'))"],
])('an error that %s ends a process with 1 and one line, and a warning is one as well', (_, code) => {
  const file = JSON.stringify(join(import.meta.dirname, 'log.ts'));
  const script = `import { createLog, logCrashes } from ${file}; logCrashes(createLog('ingest', 'warn')); process.emitWarning('careful'); await null; ${code};`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([status, lines]).toEqual([
    1,
    expect.arrayContaining([
      expect.objectContaining({ process: 'ingest', level: 'error', error: expect.objectContaining({ message: 'a bug' }) }),
    ]),
  ]);
  for (const line of lines) expect(line).toMatchObject({ time: expect.any(String), process: 'ingest' });
});
