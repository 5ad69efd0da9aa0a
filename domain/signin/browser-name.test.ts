import { expect, test } from 'vitest';
import { nameBrowser } from './sessions.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${mozilla} (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
  [`${mozilla} (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0`, 'Firefox on Windows'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `${mozilla} (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPad',
  ],
  [`${mozilla} (Linux; Android 16; Pixel 9) ${webkit} Chrome/156.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `${mozilla} (Linux; Android 16; SM-S938B) ${webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${mozilla} (X11; CrOS x86_64 16000.0.0) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${mozilla} (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko)`, 'A browser on Linux'],
  ['curl/8.5.0', 'curl'],
  ['', 'An unknown browser'],
  ['<script>', 'An unknown browser'],
])('a browser is called by its plain name: %s', (userAgent, name) => {
  expect(nameBrowser(userAgent)).toBe(name);
});
