import { lazy, Suspense, useState } from 'react';
import { type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import { kindIcon } from '#web/components/results/kind-icon.ts';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { Icon } from '#web/ui/icon.tsx';
import { countKinds } from './count-moments.ts';
import { countFilters, keyKinds } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

const FiltersSheet = lazy(() => import('./filters-sheet.tsx').then((module) => ({ default: module.FiltersSheet })));

interface MatchKeyProps {
  found: FoundVideos;
  shownCount: number;
  narrowing: Narrowing;
}

/** The key to the icons and a filter in one: no kind pressed means all. */
export function MatchKey({ found, shownCount, narrowing }: MatchKeyProps) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const { filters, onChange } = narrowing;
  const counts = countKinds(found.videos);
  const others = countFilters({ ...filters, kinds: new Set() });
  const toggle = (kind: MatchKind) => {
    const kinds = new Set(filters.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    onChange({ ...filters, kinds });
  };
  return (
    <div className="match-key">
      {/* biome-ignore lint/a11y/useSemanticElements: a row of toggles is no fieldset of a form */}
      <div className="contents" role="group" aria-label="Match types">
        {keyKinds.map((kind) => (
          <button key={kind} type="button" className="chip" aria-pressed={filters.kinds.has(kind)} onClick={() => toggle(kind)}>
            <Icon name={kindIcon(kind)} size={16} />
            {matchKinds[kind].wording}
            {found.isFirstLoading ? (
              <span className="skeleton h-2.5 w-4" />
            ) : (
              <span className="chip-count">{atLeast(counts.get(kind) ?? 0, found.more === 'end')}</span>
            )}
          </button>
        ))}
      </div>
      <button type="button" className="chip filters-button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
        <Icon name="sliders-horizontal" size={16} />
        Filters
        {others > 0 && <span className="chip-count">{others}</span>}
      </button>
      {isSheetOpen && (
        <Suspense>
          <FiltersSheet found={found} shownCount={shownCount} narrowing={narrowing} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Counted over the pages that have come; a plus says that there may be more. */
function atLeast(count: number, isAll: boolean): string {
  return count.toLocaleString('en') + (count > 0 && !isAll ? '+' : '');
}
