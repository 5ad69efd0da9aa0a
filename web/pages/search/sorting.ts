import type { SearchOrder } from '#contract/narrowing.ts';
import type { OrderChoice } from '#web/components/search-order.ts';

/** The order of the address, those to choose from, and how to change it. */
export interface Sorting {
  orders: readonly OrderChoice[];
  value: SearchOrder;
  onChange: (order: SearchOrder) => void;
}
