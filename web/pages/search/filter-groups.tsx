import { useId } from 'react';
import type { LengthFilter } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { formatCount } from '#web/components/text/count-wording.ts';
import { useKept } from '#web/components/use-kept.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { playableHere } from './describe-filter.ts';
import { toggleValue } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

const lengths: ReadonlyArray<{ value: LengthFilter | 'any'; label: string }> = [
  { value: 'any', label: 'Any' },
  { value: 'under-10', label: '< 10' },
  { value: '10-60', label: '10–60' },
  { value: 'over-60', label: '60+' },
];

/** Length in minutes, people, labels and brands; the last three only when the results have some. */
export function FilterGroups({ narrowing }: { narrowing: Narrowing }) {
  const { filters, onChange, counts } = narrowing;
  const facets = counts.state === 'counted' ? counts.facets : undefined;
  return (
    <>
      <section>
        <h2>Length</h2>
        <Segmented
          label="Length in minutes"
          value={filters.length[0] ?? 'any'}
          options={lengths}
          onChange={(length) => onChange({ ...filters, length: length === 'any' ? [] : [length] })}
        />
      </section>
      <Playable narrowing={narrowing} />
      <Names heading="People in these results" name="person" counted={facets?.people} narrowing={narrowing} />
      <Names heading="Labels" name="label" counted={facets?.labels} narrowing={narrowing} />
      <Names heading="Brands" name="brand" counted={facets?.brands} narrowing={narrowing} />
    </>
  );
}

/** Only where it makes a difference. */
function Playable({ narrowing: { filters, onChange, counts } }: { narrowing: Narrowing }) {
  const facets = counts.state === 'counted' ? counts.facets : undefined;
  const isChecked = filters.playable.length > 0;
  const parts = facets !== undefined && facets.playable > 0 && facets.playable < facets.videos;
  if (!isChecked && !parts) return null;
  return (
    <section>
      <FacetBox
        name={playableHere}
        isChecked={isChecked}
        count={facets && formatCount(facets.playable, facets.isAll)}
        onPress={() => onChange({ ...filters, playable: isChecked ? [] : ['true'] })}
      />
    </section>
  );
}

interface FacetBoxProps {
  name: string;
  isChecked: boolean;
  count: string | undefined;
  onPress: () => void;
}

function FacetBox({ name, isChecked, count, onPress }: FacetBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native check box cannot carry the look in forced colours
    <button type="button" role="checkbox" className="facet" aria-checked={isChecked} onClick={onPress}>
      <span className="facet-box">{isChecked && <Icon name="check" size={16} />}</span>
      <bdi className="facet-name">{name}</bdi>
      {count !== undefined && <span className="tc">{count}</span>}
    </button>
  );
}

interface NamesProps {
  heading: string;
  name: 'person' | 'label' | 'brand';
  counted: SearchFacets['people'] | undefined;
  narrowing: Narrowing;
}

const shownAtFirst = 4;

function Names({ heading, name, counted, narrowing: { request, filters, onChange, counts } }: NamesProps) {
  const id = useId();
  const [steps, keepSteps] = useKept(['names', request.query, name]);
  const isExpanded = steps > 0;
  const checked = filters[name];
  const all = withChecked(counted ?? [], checked);
  if (all.length === 0) return null;
  const isAll = counts.state === 'counted' && counts.facets.isAll;
  // What is checked never hides.
  const shown = isExpanded ? all : all.filter((one, place) => place < shownAtFirst || checked.includes(one.name));
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {shown.map((one) => (
        <FacetBox
          key={one.name}
          name={one.name}
          isChecked={checked.includes(one.name)}
          count={counted && formatCount(one.videos, isAll)}
          onPress={() => onChange({ ...filters, [name]: toggleValue(checked, one.name) })}
        />
      ))}
      {all.length > shownAtFirst && (
        <button type="button" className="expand" aria-expanded={isExpanded} onClick={() => keepSteps(isExpanded ? 0 : 1)}>
          <Icon name={isExpanded ? 'chevron-up' : 'chevron-down'} size={16} />
          {isExpanded ? 'Show fewer' : `Show all ${all.length}`}
        </button>
      )}
    </section>
  );
}

/** Names with what is checked, which is told in its own spelling; a name that is in none of the results stays, so that it can be taken off. */
function withChecked(counted: SearchFacets['people'], checked: readonly string[]): SearchFacets['people'] {
  const spelling = new Map(checked.map((name) => [fold(name), name]));
  const known = new Set(counted.map(({ name }) => fold(name)));
  const missing = checked.filter((name) => !known.has(fold(name)));
  return [
    ...counted.map(({ name, videos }) => ({ name: spelling.get(fold(name)) ?? name, videos })),
    ...missing.map((name) => ({ name, videos: 0 })),
  ];
}

/** What two spellings of a name share, as the search takes them for one. */
function fold(name: string): string {
  return name.trim().toLowerCase();
}
