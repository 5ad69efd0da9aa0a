import { limits } from '#contract/limits.ts';
import { isMatchKind } from '#contract/match-kinds.ts';
import type { SearchVideosInput } from '#contract/video-service-input.ts';
import type { Narrowing } from '#domain/search/narrowing.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { isOwnPageTime } from '#domain/tokens/page-time.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import type { Admitted } from './access/caller.ts';
import type { Reading } from './reading.ts';

/** The older path has no location and account in it. */
type SearchInput = Omit<SearchVideosInput, 'location' | 'account'>;

/** The video service's page size when the caller names none. */
const defaultPageSize = 25;

/**
 * What a caller asks for who reads this much of a match. Privacy and state are not taken from the caller: what is found is
 * private and processed.
 */
export function readSearch(
  input: SearchInput,
  { adminFields }: Pick<Admitted, 'adminFields'>,
  { reading, secrets }: { reading: Reading; secrets: Secrets },
): SearchRequest {
  return {
    query: input.query ?? [],
    ids: input.id,
    // What only administrators are shown is no filter for others: it could be guessed by what is left.
    externalIds: adminFields ? input.externalId : undefined,
    // Ignored rather than refused for those who are not shown the names: a link that narrows still finds.
    faces: reading === 'words' ? input.face : undefined,
    owners: adminFields ? input.owner : undefined,
    textScope: input.textScope,
    narrowing: narrowingOf(input, reading),
    createdAfter: adminFields ? timeOf(input.createdAfter) : undefined,
    createdBefore: adminFields || isOfFirstPage(input, secrets) ? timeOf(input.createdBefore) : undefined,
    skip: input.skip ?? 0,
    pageSize: Math.min(input.pageSize ?? defaultPageSize, limits.pageSizeMax),
    purpose: 'results',
  };
}

/** Whether a page names the time that its first page was given. */
function isOfFirstPage({ createdBefore = '', createdBeforeSignature = '' }: SearchInput, secrets: Secrets): boolean {
  return isOwnPageTime(secrets, createdBefore, createdBeforeSignature);
}

function timeOf(text: string | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}

/** Names narrow nothing for those who are not shown them: else they could be guessed by what is left. */
function narrowingOf(input: SearchInput, reading: Reading): Narrowing {
  const names = (texts: readonly string[] | undefined) => {
    const wanted = (reading === 'words' ? (texts ?? []) : []).map((text) => text.trim()).filter((text) => text !== '');
    return wanted.length > 0 ? wanted : undefined;
  };
  return {
    sort: input.sort,
    kinds: input.matchKind?.filter(isMatchKind),
    length: input.length,
    people: names(input.person),
    labels: names(input.label),
    brands: names(input.brand),
  };
}
