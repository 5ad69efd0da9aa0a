/** A query longer than this may need several lines, where a skewed block cannot follow. */
const markerCharacters = 40;

/** What the search came to, in one line. */
export function SearchHeading({ query, hasNothing }: { query: string; hasNothing: boolean }) {
  if (query === '') return 'Showing all videos';
  if (hasNothing) return `No matches found for ${query}`;
  const length = query.length > markerCharacters ? 'marker-long' : 'marker-short';
  return (
    <>
      Showing results for <span className={`marker ${length}`}>{query}</span>
    </>
  );
}
