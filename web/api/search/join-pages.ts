import type { NextPage, SearchItem, SearchResponse } from '#contract/video-service/answers.ts';

/** All videos of the pages so far; one that a later page repeats, because others came or went meanwhile, stands once. */
export function joinPages(pages: readonly SearchResponse[]): SearchItem[] {
  const seen = new Map<string, SearchItem>();
  for (const item of pages.flatMap((page) => page.results ?? [])) {
    if (!seen.has(item.id)) seen.set(item.id, item);
  }
  return [...seen.values()];
}

export interface PageStart {
  skip: number;
  createdBefore?: string;
  createdBeforeSignature?: string;
  after?: string;
}

/** Where the page after these starts; undefined at the end. A service whose `skip` does not grow would have us ask for ever. */
export function nextStartAfter(pages: readonly SearchResponse[], asked: PageStart): PageStart | undefined {
  const next: NextPage | null | undefined = pages.at(-1)?.nextPage;
  if (!next || next.done || next.skip <= asked.skip) return undefined;
  const { createdBefore, createdBeforeSignature } = pages[0]?.nextPage ?? {};
  return {
    skip: next.skip,
    ...(createdBefore ? { createdBefore } : {}),
    ...(createdBefore && createdBeforeSignature ? { createdBeforeSignature } : {}),
    ...(next.after ? { after: next.after } : {}),
  };
}
