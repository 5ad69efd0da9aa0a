import { useId, useState } from 'react';
import type { FoundVideo } from '#web/components/results/found-video.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { countNames, type Facet } from './count-moments.ts';
import type { LengthFilter } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

const lengths: ReadonlyArray<{ value: LengthFilter; label: string }> = [
  { value: 'any', label: 'Any' },
  { value: 'under-10', label: '< 10' },
  { value: '10-60', label: '10–60' },
  { value: 'over-60', label: '60+' },
];

/** Length in minutes, people and labels; the last two only when the results have some. */
export function FilterGroups({ videos, narrowing }: { videos: readonly FoundVideo[]; narrowing: Narrowing }) {
  const { filters, onChange } = narrowing;
  return (
    <>
      <section>
        <h2>Length</h2>
        <Segmented
          label="Length in minutes"
          value={filters.length}
          options={lengths}
          onChange={(length) => onChange({ ...filters, length })}
        />
      </section>
      <Facets
        name="People in these results"
        facets={countNames(videos, 'Face')}
        checked={filters.people}
        onChange={(people) => onChange({ ...filters, people })}
      />
      <Facets
        name="Labels"
        facets={countNames(videos, 'Annotations')}
        checked={filters.labels}
        onChange={(labels) => onChange({ ...filters, labels })}
      />
    </>
  );
}

interface FacetsProps {
  name: string;
  facets: Facet[];
  checked: ReadonlySet<string>;
  onChange: (checked: ReadonlySet<string>) => void;
}

const shownAtFirst = 4;

function Facets({ name, facets, checked, onChange }: FacetsProps) {
  const id = useId();
  const [isExpanded, setExpanded] = useState(false);
  if (facets.length === 0) return null;
  const toggle = (facet: string) => {
    const next = new Set(checked);
    if (!next.delete(facet)) next.add(facet);
    onChange(next);
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {facets.slice(0, isExpanded ? facets.length : shownAtFirst).map((facet) => (
        // biome-ignore lint/a11y/useSemanticElements: a native check box cannot carry the look in forced colours
        <button
          key={facet.name}
          type="button"
          role="checkbox"
          className="facet"
          aria-checked={checked.has(facet.name)}
          onClick={() => toggle(facet.name)}
        >
          <span className="facet-box">{checked.has(facet.name) && <Icon name="check" size={16} />}</span>
          <span className="facet-name">{facet.name}</span>
          <span className="tc">{facet.videos}</span>
        </button>
      ))}
      {facets.length > shownAtFirst && (
        <button type="button" className="expand" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          <Icon name={isExpanded ? 'chevron-up' : 'chevron-down'} size={16} />
          {isExpanded ? 'Show fewer' : `Show all ${facets.length}`}
        </button>
      )}
    </section>
  );
}
