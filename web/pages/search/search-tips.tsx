import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { explainEmptyQuery, readPieces, toPlainQuery } from '#contract/find-words.ts';
import type { NearestQuery } from '#contract/video-service/answers.ts';
import { searchFacets } from '#web/api/search/search-facets.ts';
import { keepFocus } from '#web/components/keep-focus.ts';
import { formatCount } from '#web/components/text/count-wording.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { describeFilter, describeWithout } from './describe-filter.ts';
import { activeFiltersIn, type FilterName, type Filters, narrowedBy, noFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

/** What to try when nothing was found, or nothing is left by the filters. */
export function SearchTips({ nearest, narrowing }: { nearest: readonly NearestQuery[]; narrowing: Narrowing }) {
  const why = explainEmptyQuery(narrowing.request.query);
  if (why && narrowing.request.query !== '') return <NothingLookedFor query={narrowing.request.query} why={why} />;
  const words = [...new Set(wordsLookedFor(narrowing.request.query))];
  const active = activeFiltersIn(narrowing.filters);
  return (
    <ul className="tips" ref={() => keepFocus}>
      {nearest.length > 0 && (
        <li>
          <Icon name="search" />
          <span>
            Did you mean <NearestLinks nearest={nearest} />
          </span>
        </li>
      )}
      {active.map((name) => (
        <FilterTip key={name} name={name} narrowing={narrowing} />
      ))}
      {active.length > 1 && <ClearTip narrowing={narrowing} />}
      {words.length > 1 && (
        <li>
          <Icon name="type" />
          <span>
            Try one word instead of several. <WordLinks words={words.slice(0, 3)} />
          </span>
        </li>
      )}
      <li>
        <Icon name="clock" />
        <span>
          New footage takes a while to index. If you know it is here,{' '}
          <Link className="link" to={paths.home}>
            look through all videos
          </Link>
          .
        </span>
      </li>
    </ul>
  );
}

/** Of such a query nothing is found, whatever the archive holds. */
function NothingLookedFor({ query, why }: { query: string; why: keyof typeof whyInWords }) {
  return (
    <ul className="tips">
      <li>
        <Icon name="type" />
        <span className="tips-query">
          A search needs something to look for: “<bdi>{query}</bdi>” {whyInWords[why]}.
        </span>
      </li>
      <li>
        <Icon name="list-video" />
        <Link className="link" to={paths.home}>
          Look through all videos
        </Link>
      </li>
    </ul>
  );
}

const whyInWords = {
  'leaves-out': 'only excludes words',
  'field-alone': 'names a field but no words',
  'no-word': 'contains no letters or digits',
} as const;

/** The words that a query looks for: neither what it rules out, nor the signs and names of fields around them. */
function wordsLookedFor(query: string): string[] {
  return [...readPieces(toPlainQuery(query))].flatMap(({ sign, groups: { field, quoted, bare = '' } }) => {
    if (sign === '-' || field?.toLowerCase() === 'id' || (bare === 'OR' && !sign && !field)) return [];
    return (quoted ?? withoutField(bare)).match(wholeWord) ?? [];
  });
}

const wholeWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*/gu;

/** Without the name of a field that there is none of. */
function withoutField(text: string): string {
  return text.replace(/^\p{L}+:(?=[\p{L}\p{N}])/u, '');
}

/** Other queries to press, each with what it finds: the end of a question. */
export function NearestLinks({ nearest }: { nearest: readonly NearestQuery[] }) {
  return nearest.map(({ text, videos, orMore = false }, index) => {
    const found = `${formatCount(videos, !orMore)} ${videos === 1 && !orMore ? 'video' : 'videos'}`;
    const isLast = index === nearest.length - 1;
    return (
      <span key={text}>
        {index > 0 && ', or '}
        <Link className="link tips-nearest" to={paths.search(text)}>
          <bdi>{text}</bdi>
        </Link>
        {nearest.length === 1 ? `? ${found}` : ` (${found})${isLast ? '?' : ''}`}
      </span>
    );
  });
}

function WordLinks({ words }: { words: string[] }) {
  return words.map((word, index) => (
    <span key={word}>
      {index > 0 && (index === words.length - 1 ? ' or ' : ', ')}
      <Link className="link" to={paths.search(word)}>
        {word}
      </Link>
    </span>
  ));
}

/** A filter that excludes everything, what the others would leave without it, and a button that takes it off. */
function FilterTip({ name, narrowing }: { name: FilterName; narrowing: Narrowing }) {
  const { filters, onChange } = narrowing;
  const others = { ...filters, [name]: noFilters[name] };
  const { label, isSeveral } = describeFilter(filters, name);
  return (
    <li>
      <Icon name="sliders-horizontal" />
      <span>
        <bdi>{label}</bdi> {isSeveral ? 'are' : 'is'} on.{' '}
        <Without narrowing={narrowing} others={others} without={isSeveral ? 'Without them' : 'Without it'} />
        <button type="button" className="link" onClick={() => onChange(others)}>
          Remove <bdi>{label}</bdi>
        </button>
      </span>
    </li>
  );
}

/** The same for all filters at once. */
function ClearTip({ narrowing }: { narrowing: Narrowing }) {
  return (
    <li>
      <Icon name="x" />
      <span>
        <Without narrowing={narrowing} others={noFilters} without="Without any filter" />
        <button type="button" className="link" onClick={() => narrowing.onChange(noFilters)}>
          Clear filters
        </button>
      </span>
    </li>
  );
}

function Without({ narrowing, others, without }: { narrowing: Narrowing; others: Filters; without: string }) {
  const { query } = narrowing.request;
  // Without a query there are no moments to count.
  const { data } = useQuery({ ...searchFacets({ query, ...narrowedBy(others) }), enabled: query !== '' });
  return data && `${describeWithout(data, others, without)} `;
}
