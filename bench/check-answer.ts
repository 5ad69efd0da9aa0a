import { SearchResponse } from '#contract/video-service/answers.ts';

/** An answer of the search route as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * What is wrong with an answer; null when it is what a search is to get. Every answer is looked at from outside; `wholly`, it is
 * taken apart as well: its shape, whether there are results where the question `finds` any, and whether what it marks is there.
 */
export function faultOf({ status, contentType, body }: RawAnswer, asked: { finds: boolean; wholly: boolean }): string | null {
  if (status !== 200) return `status ${status}`;
  if (!contentType.startsWith('application/json')) return `type ${contentType || 'missing'}`;
  if (!body.includes('"results":[') || !body.includes('"nextPage":{') || !body.endsWith('}')) return 'no answer of a search';
  return asked.wholly ? faultOfContent(body, asked.finds) : null;
}

function faultOfContent(body: string, finds: boolean): string | null {
  const answer = SearchResponse.safeParse(parse(body));
  if (!answer.success) return 'another shape';
  const { results } = answer.data;
  if (finds && results.length === 0) return 'nothing found';
  const matches = results.flatMap(({ searchMatches }) => searchMatches);
  if (results.length > 0 && matches.length === 0) return 'results without a match';
  // A line that only means what was asked for has nothing to mark.
  const marksWhatIsThere = matches.every(({ text, exactText, byMeaning }) => text.includes(exactText) && (exactText !== '' || byMeaning));
  return marksWhatIsThere ? null : 'marks what is not there';
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
