import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '#domain/system/log.ts';
import { readArchiveSettings } from './context.ts';

const shipped = readFileSync(resolve(import.meta.dirname, '..', 'archive.config.json'), 'utf8');

test('the settings that the archive comes with are used as they are', () => {
  const { settings, lines } = read(shipped);
  expect([settings.socialLinks.length > 0, lines]).toEqual([true, []]);
});

test.each(['javascript:alert(1)', 'data:text/html,hello', 'file:///etc/passwd', '//elsewhere.example'])(
  'a link that leads to no page is told and not shown: %s',
  (href) => {
    const { settings, lines } = read(JSON.stringify({ ...JSON.parse(shipped), socialLinks: [{ name: 'Elsewhere', href }] }));
    expect(settings.socialLinks).toEqual([]);
    expect(lines).toEqual([expect.stringContaining('socialLinks.0.href')]);
  },
);

test.each([
  ['missing', undefined],
  ['cut short', shipped.slice(0, 200)],
  ['empty', ''],
  ['damaged in another place', JSON.stringify({ ...JSON.parse(shipped), name: '' })],
  ['set to something that is no such setting', JSON.stringify({ ...JSON.parse(shipped), guestsRead: 'everything' })],
])('a settings file that is %s lets guests read counts alone, and is told', (_how, text) => {
  const { settings, lines } = read(text);
  expect([settings.guestsRead, lines.length]).toEqual(['counts', 1]);
});

test.each(['words', 'counts', 'locked'])('guests read what the file says: %s', (guestsRead) => {
  expect(read(JSON.stringify({ ...JSON.parse(shipped), guestsRead })).settings.guestsRead).toBe(guestsRead);
});

test('guests read the words where the file does not say', () => {
  const { guestsRead: _, ...others } = JSON.parse(shipped);
  expect(read(JSON.stringify(others))).toMatchObject({ settings: { guestsRead: 'words' }, lines: [] });
});

test('an archive that others see is told when its contact is still the one that it came with', () => {
  expect(read(shipped, false).lines).toEqual([expect.stringContaining('those that it came with')]);
  const contact = { email: 'desk@films.example', phone: '' };
  expect(read(JSON.stringify({ ...JSON.parse(shipped), contact }), false).lines).toEqual([]);
});

function read(text: string | undefined, practice = true) {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-settings-'));
  const file = join(folder, 'archive.config.json');
  if (text !== undefined) writeFileSync(file, text);
  const lines: string[] = [];
  const settings = readArchiveSettings(
    { archiveFile: file, practice },
    createLog('web', 'warn', (line) => lines.push(line)),
  );
  rmSync(folder, { recursive: true });
  return { settings, lines };
}
