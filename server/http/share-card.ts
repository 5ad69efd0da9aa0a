import type { FastifyRequest } from 'fastify';
import { pageOf } from '#contract/page-routes.ts';
import { safeReturnUrl } from '#contract/return-url.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import type { Context } from '../context.ts';
import { shownInPublic } from './access/shown-in-public.ts';
import { markupText } from './markup-text.ts';
import { queryText } from './request-text.ts';

/**
 * What a link to a video is previewed by, as elements of the document's head: for the video's own page, and for the sign-in page that a
 * guest is sent to from there. Empty for every other page, for an id that is no processed video, and while the database is away.
 */
export async function shareCard({ pool, config, settings, log }: Context, request: FastifyRequest): Promise<string> {
  const target = videoTarget(request);
  if (!target) return '';
  const [video] = await findVideos(pool, [target.id]).catch((error: unknown) => {
    log.warn('page sent without what it would be previewed by', { reason: error instanceof Error ? error.message : String(error) });
    return [];
  });
  if (video?.state !== 'Processed') return '';
  const { name, summary, pageUrl, posterUrl } = shownInPublic(video, config);
  return [
    `<title>${markupText(`${name} — ${settings.name}`)}</title>`,
    meta('name', 'description', summary),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('property', 'og:type', 'video.other'),
    meta('property', 'og:site_name', settings.name),
    meta('property', 'og:title', name),
    meta('property', 'og:description', summary),
    // A link to a second stays one.
    meta('property', 'og:url', pageUrl + (target.second ? `?t=${target.second}` : '')),
    meta('property', 'og:image', posterUrl),
    meta('property', 'og:image:type', 'image/jpeg'),
    meta('property', 'og:image:alt', name),
  ].join('');
}

/** The video that a page is about, or that its sign-in leads to. */
function videoTarget(request: FastifyRequest): { id: string; second: string } | null {
  const [path = ''] = request.url.split(/[?#]/, 1);
  const address = pageOf(path.replace(/(.)\/$/, '$1')) === 'login' ? safeReturnUrl(queryText(request, 'returnUrl')) : request.url;
  const { id, query = '' } = /^\/video\/(?<id>[0-9a-f]{10})\/?(?:\?(?<query>[^#]*))?(?:#.*)?$/.exec(address)?.groups ?? {};
  return id ? { id, second: /^\d{1,6}$/.exec(new URLSearchParams(query).get('t') ?? '')?.[0] ?? '' } : null;
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return content === '' ? '' : `<meta ${kind}="${key}" content="${markupText(content)}" />`;
}
