import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { countFilters, noFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

/** What to try when nothing was found, or nothing is left by the filters. */
export function SearchTips({ query, narrowing }: { query: string; narrowing: Narrowing }) {
  const words = [...new Set(query.match(/[\p{L}\p{N}]+/gu) ?? [])];
  const filtersOn = countFilters(narrowing.filters);
  return (
    <ul className="tips">
      {words.length > 1 && (
        <li>
          <Icon name="type" />
          <span>
            Try one word instead of several. <WordLinks words={words.slice(0, 3)} />
          </span>
        </li>
      )}
      {filtersOn > 0 && (
        <li>
          <Icon name="sliders-horizontal" />
          <span>
            {filtersOn === 1 ? 'One filter is on.' : `${filtersOn} filters are on.`}{' '}
            <button type="button" className="link" onClick={() => narrowing.onChange(noFilters)}>
              Clear filters
            </button>
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
