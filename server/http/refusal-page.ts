import type { Problem } from '#contract/problem.ts';

/** The page of a frame that may not open. When a fresh token would help, its script asks the page around it for one. */
export function refusalPage(problem: Problem): string {
  const asksAgain = problem.status === 401;
  return [
    '<!doctype html>',
    `<html lang="en"${asksAgain ? ' data-asks-again' : ''}>`,
    '<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not open</title></head>',
    `<body><p role="alert">${problem.message}</p><p>${asksAgain ? 'Reload the page, or sign in again.' : 'Go back to the archive.'}</p>`,
    asksAgain ? '<script src="/embed/refused.js"></script>' : '',
    '</body></html>',
  ].join('\n');
}

/** Speaks the frames' words: says that the token has expired, and opens the frame again with the one that comes back. */
export const refusalScript = `if (parent !== self) {
  addEventListener('message', (event) => {
    const token = event.data?.accessToken;
    if (event.origin !== location.origin || event.source !== parent || typeof token !== 'string') return;
    const address = new URL(location.href);
    if (address.searchParams.get('accessToken') === token) return;
    address.searchParams.set('accessToken', token);
    location.replace(address);
  });
  parent.postMessage({ expired: true, origin: location.origin }, location.origin);
}
`;
