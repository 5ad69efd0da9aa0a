import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { toAfterText } from '#contract/paging-input.ts';
import type { NextPage } from '#contract/video-service/answers.ts';
import type { SearchVideosInput } from '#contract/video-service/input.ts';
import type { SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import { readsRecords, type SeeingReader } from './reader.ts';

/** The video service's page size when the caller names none. */
const defaultPageSize = 25;

type PageInput = Pick<SearchVideosInput, 'skip' | 'pageSize' | 'createdAfter' | 'createdBefore' | 'createdBeforeSignature'>;
type Page = Pick<SearchRequest, 'skip' | 'pageSize' | 'createdAfter' | 'createdBefore' | 'createdUntil'>;

/** Which page is asked for. Those who read records name times of their own; everybody else sends back the one that the first page gave. */
export function readPaging(input: PageInput, reader: SeeingReader, secrets: Secrets): Page {
  const { createdBefore = '', createdBeforeSignature = '' } = input;
  const mayName = readsRecords(reader);
  const isOwn = isOwnPageTime(secrets, createdBefore, createdBeforeSignature);
  return {
    createdAfter: mayName ? timeOf(input.createdAfter) : undefined,
    createdBefore: isOwn ? timeOf(input.createdBefore) : undefined,
    createdUntil: mayName && !isOwn ? timeOf(input.createdBefore) : undefined,
    skip: input.skip ?? 0,
    pageSize: Math.min(input.pageSize ?? defaultPageSize, limits.pageSizeMax),
  };
}

function timeOf(text: string | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}

/** Where the next page begins, with the time that it sends back and the proof that this comes from here; where a time was named, that one. */
export function presentPaging(next: SearchAnswer['nextPage'], secrets: Secrets, named?: Date): NextPage {
  const { pageSize, skip, done, totalCount, createdBefore, after } = next;
  const time = createdBefore?.toISOString();
  return {
    pageSize,
    skip,
    done,
    ...(totalCount === undefined ? {} : { totalCount }),
    ...(time === undefined || named ? {} : { createdBefore: time, createdBeforeSignature: signPageTime(secrets, time) }),
    ...(named ? { createdBefore: named.toISOString() } : {}),
    ...(after === undefined ? {} : { after: toAfterText(after) }),
  };
}

/**
 * Signs the time as of which a list was begun. Its further pages send both back: who could name any time would find out, by halves,
 * when each video came in. The key is the one that outlives a change of the signing keys, as lists stay open for hours.
 */
function signPageTime(secrets: Secrets, time: string): string {
  return createHmac('sha256', secrets.thumbnailKey).update(`page time ${time}`).digest('base64url');
}

/** Whether this archive gave out this time, letter by letter. */
function isOwnPageTime(secrets: Secrets, time: string, signature: string): boolean {
  const [own, given] = [Buffer.from(signPageTime(secrets, time)), Buffer.from(signature)];
  return own.length === given.length && timingSafeEqual(own, given);
}
