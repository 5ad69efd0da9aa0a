import type { SearchOrder } from '#contract/narrowing.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { OrderChoice } from './search-order.ts';

interface SortSelectProps {
  orders: readonly OrderChoice[];
  value: SearchOrder;
  onChange: (order: SearchOrder) => void;
}

/** `Sort by Best match`, with the browser's own list to choose from. */
export function SortSelect({ orders, value, onChange }: SortSelectProps) {
  return (
    <label className="sort">
      <span>Sort by</span>
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = orders[target.selectedIndex];
          if (chosen) onChange(chosen.value);
        }}
      >
        {orders.map((order) => (
          <option key={order.value} value={order.value}>
            {order.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={16} />
    </label>
  );
}
