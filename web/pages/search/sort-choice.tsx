import { useId } from 'react';
import type { Sorting } from './sorting.ts';

/** The order of the results on a narrow screen, where the row of chips has no room for it. */
export function SortChoice({ sorting: { orders, value, onChange } }: { sorting: Sorting }) {
  const name = useId();
  return (
    <fieldset className="sort-choice">
      <legend>Sort by</legend>
      {orders.map((order) => (
        <label key={order.value} className="facet">
          <input type="radio" name={name} checked={order.value === value} onChange={() => onChange(order.value)} />
          <span className="facet-name">{order.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
