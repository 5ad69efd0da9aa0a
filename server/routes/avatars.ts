import { minidenticon } from 'minidenticons';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { pathText } from '../http/request-text.ts';
import { type Site, serveRaw } from '../http/serve.ts';

/** The picture of a person, drawn from the hash of their e-mail; no request leaves for a third party. */
export function avatarRoutes(site: Site): void {
  serveRaw(site, routes.avatar, (_caller, { request, reply }) => {
    const hash = pathText(request, 'hash');
    if (!/^[0-9a-f]{32}$/.test(hash)) throw new Problem('not_found', 'There is no such picture.');
    return reply
      .type('image/svg+xml; charset=utf-8')
      .headers({
        'cache-control': 'private, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .send(minidenticon(hash, 60, 58));
  });
}
