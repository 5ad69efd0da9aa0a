import type { ReactNode } from 'react';
import { Icon } from '#web/ui/icon.tsx';

interface SortHeadProps {
  /** How the table is sorted by this column; undefined when it is sorted by another. */
  order: 'asc' | 'desc' | undefined;
  onSort: () => void;
  children: ReactNode;
}

/** The head of a column that sorts the table when it is pressed. */
export function SortHead({ order, onSort, children }: SortHeadProps) {
  return (
    <th scope="col" aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      <button type="button" className="sort-button" onClick={onSort}>
        {children}
        {order && <Icon name={order === 'asc' ? 'chevron-up' : 'chevron-down'} size={16} />}
      </button>
    </th>
  );
}
