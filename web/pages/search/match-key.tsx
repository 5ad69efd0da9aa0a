import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import { kindIcon } from '#web/components/results/kind-icon.ts';
import { wordCount } from '#web/components/text/count-wording.ts';
import { Icon } from '#web/ui/icon.tsx';
import { countFilters, keyKinds, toggled } from './filters.ts';
import type { Counts, Narrowing } from './narrowing.ts';
import type { Sorting } from './sorting.ts';

const FiltersSheet = lazy(() => import('./filters-sheet.tsx').then((module) => ({ default: module.FiltersSheet })));

interface MatchKeyProps {
  narrowing: Narrowing;
  sorting: Sorting;
  /** At the end of the row. */
  children?: ReactNode;
}

/** The key to the icons and a filter in one: no kind pressed means all. */
export function MatchKey({ narrowing, sorting, children }: MatchKeyProps) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const { question, filters, onChange, counts } = narrowing;
  const others = countFilters({ ...filters, kind: [] });
  return (
    <div className="match-key">
      {/* biome-ignore lint/a11y/useSemanticElements: a row of toggles is no fieldset of a form */}
      <div className="contents" role="group" aria-label="Match types">
        {keyKinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={filters.kind.includes(kind)}
            onClick={() => onChange({ ...filters, kind: toggled(filters.kind, kind) })}
          >
            <Icon name={kindIcon(kind)} size={16} />
            {matchKinds[kind].wording}
            {question.query !== '' && <KindCount kind={kind} counts={counts} />}
          </button>
        ))}
      </div>
      <button type="button" className="chip filters-button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
        <Icon name="sliders-horizontal" size={16} />
        Filters
        {others > 0 && <span className="chip-count">{others}</span>}
      </button>
      {children}
      {isSheetOpen && (
        <Suspense>
          <FiltersSheet narrowing={narrowing} sorting={sorting} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function KindCount({ kind, counts }: { kind: MatchKind; counts: Counts }) {
  if (counts.state === 'none') return null;
  if (counts.state === 'loading') return <span className="skeleton h-2.5 w-2" />;
  const { kinds, isAll } = counts.facets;
  return <span className="chip-count">{wordCount(kinds[kind] ?? 0, isAll)}</span>;
}
