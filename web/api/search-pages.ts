import { infiniteQueryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import { pageSettings } from '#web/page-settings.ts';
import { call } from './call.ts';
import { joinPages, nextStart, type PageStart } from './join-pages.ts';
import { accountToken, withToken } from './tokens.ts';

/** The pages of one search; another query is another list. The empty query lists everything. */
export function searchPages(query: string, firstSkip = 0) {
  return infiniteQueryOptions({
    queryKey: ['search', query, firstSkip],
    queryFn: ({ pageParam, signal }) => withToken(accountToken, (accessToken) => askPage(query, pageParam, { accessToken, signal })),
    initialPageParam: startAt(firstSkip),
    getNextPageParam: (_last, pages, asked) => nextStart(pages, asked),
    select: ({ pages }) => ({
      items: joinPages(pages),
      pageCount: pages.length,
      newest: pages.at(-1)?.results?.length ?? 0,
      searchedFor: pages[0]?.searchedFor,
    }),
  });
}

function startAt(skip: number): PageStart {
  return { skip };
}

function askPage(query: string, start: PageStart, options: { accessToken: string; signal: AbortSignal }) {
  return call(
    'searchVideos',
    {
      location: pageSettings.location,
      account: pageSettings.accountId,
      query,
      privacy: 'Private',
      state: 'Processed',
      language: 'English',
      searchInPublicAccount: 'false',
      pageSize: String(limits.searchPageSize),
      skip: String(start.skip),
      createdBefore: start.createdBefore,
    },
    options,
  );
}
