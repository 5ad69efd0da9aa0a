import { limits } from '#contract/limits.ts';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { queryLength } from '#web/components/read-query.ts';

/** In place of an answer: such a query is not asked. It stands in the search box as it came. */
export function TooLongQuery({ query }: { query: string }) {
  const count = (characters: number) => characters.toLocaleString('en');
  return (
    <Main>
      <PageTitle title="The query is too long" />
      <div className="no-matches">
        <div className="results-head">
          <PageHeading page={`search ${query}`}>No matches found: the query is too long</PageHeading>
        </div>
        <p className="no-matches-why">
          A query may have up to {count(limits.queryMaxCodePoints)} characters, and this one has {count(queryLength(query))}. It is still in
          the search box: shorten it there.
        </p>
      </div>
    </Main>
  );
}
