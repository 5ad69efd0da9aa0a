import { Link } from 'react-router';
import type { NearestQuery } from '#contract/video-service.ts';
import { wordCount } from '#web/components/text/count-wording.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ClearTip, FilterTip } from './filter-tip.tsx';
import { activeFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

/** What to try when nothing was found, or nothing is left by the filters. */
export function SearchTips({ nearest, narrowing }: { nearest: readonly NearestQuery[]; narrowing: Narrowing }) {
  const words = [...new Set(narrowing.question.query.match(/[\p{L}\p{N}]+/gu) ?? [])];
  const active = activeFilters(narrowing.filters);
  return (
    <ul className="tips">
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

function NearestLinks({ nearest }: { nearest: readonly NearestQuery[] }) {
  return nearest.map(({ text, videos, orMore = false }, index) => (
    <span key={text}>
      {index > 0 && ', or '}
      <Link className="link tips-nearest" to={paths.search(text)}>
        {text}
      </Link>{' '}
      — {wordCount(videos, !orMore)} {videos === 1 && !orMore ? 'video' : 'videos'}
    </span>
  ));
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
