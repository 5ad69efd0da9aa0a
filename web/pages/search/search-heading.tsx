/** A longer query may need several lines, on a phone sooner than on a desk, and a skewed block cannot follow it there. */
const oneLineCharacters = { phone: 16, desk: 40 };

/** What the search came to, in one line. */
export function SearchHeading({ query, hasNothing }: { query: string; hasNothing: boolean }) {
  if (hasNothing) return query === '' ? 'No matches found' : `No matches found for ${query}`;
  if (query === '') return 'Showing all videos';
  const { phone, desk } = oneLineCharacters;
  const length = query.length <= phone ? 'marker-short' : query.length <= desk ? 'marker-medium' : 'marker-long';
  return (
    <>
      Showing results for <span className={`marker ${length}`}>{query}</span>
    </>
  );
}
