import { isMatchKind } from '#contract/match-kinds.ts';
import type { SearchVideosInput } from '#contract/video-service/input.ts';
import type { Narrowing } from '#domain/search/list/narrowing.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import { readPaging } from './paging.ts';
import { type Reader, readsWords } from './reader.ts';

/** The older path has no location and account in it. */
export type SearchInput = Omit<SearchVideosInput, 'location' | 'account'>;

/**
 * What is asked, as far as this reader may ask it: what they are not shown is no filter for them, as it could be guessed by what is
 * left. It is ignored rather than refused, so that a link that narrows still finds. Privacy and state are not taken from the caller:
 * what is found is private and processed.
 */
export function readSearch(input: SearchInput, reader: Reader, secrets: Secrets): SearchRequest {
  const isAdmin = reader.reading === 'admin';
  return {
    query: input.query ?? [],
    ids: input.id,
    externalIds: isAdmin ? input.externalId : undefined,
    faces: readsWords(reader) ? input.face : undefined,
    owners: isAdmin ? input.owner : undefined,
    textScope: input.textScope,
    narrowing: narrowingOf(input, reader),
    ...readPaging(input, reader, secrets),
    // Whoever reads no words would learn of films what nobody has said in theirs.
    allowsMeaning: readsWords(reader),
    purpose: 'results',
  };
}

function narrowingOf(input: SearchInput, reader: Reader): Narrowing {
  const names = (texts: readonly string[] | undefined) => {
    const wanted = (readsWords(reader) ? (texts ?? []) : []).map((text) => text.trim()).filter((text) => text !== '');
    return wanted.length > 0 ? wanted : undefined;
  };
  return {
    sort: input.sort,
    kinds: input.matchKind?.filter(isMatchKind),
    length: input.length,
    playable: input.playable && true,
    people: names(input.person),
    labels: names(input.label),
    brands: names(input.brand),
  };
}
