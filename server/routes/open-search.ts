import { routes } from '#contract/routes.ts';
import type { Context } from '../context.ts';
import { openDocuments } from '../http/documents.ts';
import { askerOf, type InTurns } from '../http/in-turns.ts';
import { markupText } from '../http/markup-text.ts';
import { queryText } from '../http/request-text.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import { readerOf, readsWords } from '../video-service/reader.ts';

/** How a browser adds this archive to its search engines, and what it offers while somebody types there. */
export function openSearchRoutes(site: Site, turn: InTurns): void {
  const { context } = site;
  const documentOf = openDocuments(context);
  serveRaw(site, routes.openSearch, (_caller, { reply }) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/opensearchdescription+xml; charset=utf-8')
      .send(description(context, documentOf('index'))),
  );
  serveRaw(site, routes.suggestions, async (caller, { request, reply }) => {
    const typed = queryText(request, 'query');
    const reader = await readerOf(context, caller);
    const found = await turn(askerOf(request), 'search', (work) => context.search.suggestNames(typed, { work }));
    const names = found.filter(({ kind }) => kind === 'Title' || readsWords(reader));
    return reply
      .header('cache-control', 'private, max-age=60')
      .type('application/x-suggestions+json; charset=utf-8')
      .send(JSON.stringify([typed, names.map(({ name }) => name), names.map(({ kind }) => kinds[kind])]));
  });
}

const kinds = { Title: 'Title', Face: 'Person', Brand: 'Brand' } as const;

function description({ config, settings }: Context, document: string): string {
  const origin = config.publicUrl;
  // The icon's address carries a hash of what it holds; the built document names it.
  const icon = /<link rel="icon" href="([^"]+)"/.exec(document)?.[1];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    // The format allows 16 characters.
    `  <ShortName>${markupText([...settings.name].slice(0, 16).join(''))}</ShortName>`,
    `  <Description>${markupText(`Search ${settings.name}`)}</Description>`,
    '  <InputEncoding>UTF-8</InputEncoding>',
    ...(icon ? [`  <Image width="16" height="16" type="image/svg+xml">${markupText(new URL(icon, origin).href)}</Image>`] : []),
    `  <Url type="text/html" method="get" template="${markupText(`${origin}/search?query={searchTerms}&skip=0`)}"/>`,
    `  <Url type="application/x-suggestions+json" method="get" template="${markupText(`${origin}/api/suggestions?query={searchTerms}`)}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n');
}
