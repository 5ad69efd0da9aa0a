import { serverLimits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import { listVideos } from '#domain/search/list/list-videos.ts';
import type { Video } from '#domain/videos/video.ts';
import { findHiddenFilms } from '#domain/videos/visibility.ts';
import { openDocuments } from '../built-pages.ts';
import type { Context } from '../context.ts';
import { etagOf, hasSameVersion } from '../http/etag.ts';
import { readQueryText } from '../http/request-text.ts';
import { askerOf, type SearchQueue } from '../http/search-queue.ts';
import { type RouteHost, serveRaw } from '../http/serve.ts';
import { escapeMarkup } from '../markup-text.ts';
import { readerOf, readsWords } from '../video-service/reader.ts';
import { shownInPublic } from '../video-service/shown-in-public.ts';

/** The newest videos as an Atom feed, for readers without an account: what every guest sees on the first page, and when it was added. */
export function addFeedRoutes(host: RouteHost): void {
  serveRaw(host, routes.feed, async (_caller, { request, reply }) => {
    const { pool } = host.context;
    const hidden = await findHiddenFilms(pool, 'guest');
    const { results } = await listVideos(pool, { query: [], skip: 0, pageSize: serverLimits.feedEntriesMax, purpose: 'results', hidden });
    const videos = results.map(({ video }) => video);
    const feed = writeAtomFeed(host.context, videos);
    // Made of the text alone: a video that was withdrawn changes it too, which the newest date would not tell.
    const tag = etagOf(feed);
    reply.headers({ 'cache-control': 'public, max-age=300', etag: tag, 'last-modified': newestDateOf(videos).toUTCString() });
    if (hasSameVersion(request, tag)) return reply.code(304).send();
    return reply.type('application/atom+xml; charset=utf-8').send(feed);
  });
}

function writeAtomFeed({ config, settings }: Context, videos: readonly Video[]): string {
  const { publicUrl } = config;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${tagUri(publicUrl, '/feed.xml')}</id>`,
    `  <title>${escapeMarkup(settings.name)}</title>`,
    ...(settings.tagline ? [`  <subtitle>${escapeMarkup(settings.tagline)}</subtitle>`] : []),
    `  <updated>${newestDateOf(videos).toISOString()}</updated>`,
    `  <author><name>${escapeMarkup(settings.name)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeMarkup(publicUrl)}/feed.xml"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeMarkup(publicUrl)}/"/>`,
    ...videos.map((video) => writeEntry(video, { config })),
    '</feed>',
    '',
  ].join('\n');
}

function writeEntry(video: Video, { config }: Pick<Context, 'config'>): string {
  const { name, summary, pageUrl, posterUrl } = shownInPublic(video, config);
  return [
    '  <entry>',
    `    <id>${tagUri(config.publicUrl, `/video/${video.id}`)}</id>`,
    `    <title>${escapeMarkup(name)}</title>`,
    `    <link rel="alternate" type="text/html" href="${escapeMarkup(pageUrl)}"/>`,
    `    <link rel="enclosure" type="image/jpeg" href="${escapeMarkup(posterUrl)}"/>`,
    `    <published>${addedAt(video).toISOString()}</published>`,
    `    <updated>${addedAt(video).toISOString()}</updated>`,
    `    <summary>${escapeMarkup(summary)}</summary>`,
    '  </entry>',
  ].join('\n');
}

/** A name for good: it stays the same when a video is renamed (RFC 4151). */
function tagUri(publicUrl: string, path: string): string {
  return escapeMarkup(`tag:${new URL(publicUrl).hostname},2026:${path}`);
}

function addedAt({ publishedAt, createdAt }: Video): Date {
  return publishedAt ?? createdAt;
}

function newestDateOf(videos: readonly Video[]): Date {
  return new Date(Math.max(0, ...videos.map((video) => addedAt(video).getTime())));
}

/** How a browser adds this archive to its search engines, and what it offers while somebody types there. */
export function addOpenSearchRoutes(host: RouteHost, inSearchQueue: SearchQueue): void {
  const { context } = host;
  const documentOf = openDocuments(context);
  serveRaw(host, routes.openSearch, (_caller, { reply }) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/opensearchdescription+xml; charset=utf-8')
      .send(writeDescription(context, documentOf('index'))),
  );
  serveRaw(host, routes.suggestions, async (caller, { request, reply }) => {
    const typed = readQueryText(request, 'query');
    const reader = await readerOf(context, caller);
    const hidden = await findHiddenFilms(context.pool, reader.sight);
    const found = await inSearchQueue(askerOf(request), 'search', (work) => context.search.suggestNames({ typed, hidden }, { work }));
    const names = found.filter(({ kind }) => kind === 'Title' || readsWords(reader));
    // It is another one from the moment on in which somebody signs out or a film is taken down.
    return reply
      .header('cache-control', 'no-store')
      .type('application/x-suggestions+json; charset=utf-8')
      .send(JSON.stringify([typed, names.map(({ name }) => name), names.map(({ kind }) => kinds[kind])]));
  });
}

const kinds = { Title: 'Title', Face: 'Person', Brand: 'Brand' } as const;

function writeDescription({ config, settings }: Context, document: string): string {
  const origin = config.publicUrl;
  // The icon's address carries a hash of what it holds; the built document names it.
  const icon = /<link rel="icon" href="([^"]+)"/.exec(document)?.[1];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    // The format allows 16 characters.
    `  <ShortName>${escapeMarkup([...settings.name].slice(0, 16).join(''))}</ShortName>`,
    `  <Description>${escapeMarkup(`Search ${settings.name}`)}</Description>`,
    '  <InputEncoding>UTF-8</InputEncoding>',
    ...(icon ? [`  <Image width="16" height="16" type="image/svg+xml">${escapeMarkup(new URL(icon, origin).href)}</Image>`] : []),
    `  <Url type="text/html" method="get" template="${escapeMarkup(`${origin}/search?query={searchTerms}&skip=0`)}"/>`,
    `  <Url type="application/x-suggestions+json" method="get" template="${escapeMarkup(`${origin}/api/suggestions?query={searchTerms}`)}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n');
}
