import type { ServerResponse } from 'node:http';

/** What a broken or captured provider may answer instead of what it was asked for. */
export const brokenAnswers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '500': (response) => response.writeHead(500).end('{}'),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  HTML: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>'),
  'nothing for ever': () => {},
  'a body without end': (response) => {
    const part = Buffer.alloc(65_536, 'x');
    const more = () => {
      while (!response.destroyed && response.write(part));
    };
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more);
    more();
  },
};
