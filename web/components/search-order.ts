import { type SearchOrder, searchOrders } from '#contract/narrowing.ts';

/** An order that can be chosen, and how it is called. */
export interface OrderChoice {
  value: SearchOrder;
  label: string;
}

const wordings: Readonly<Record<SearchOrder, string>> = {
  best: 'Best match',
  newest: 'Newest first',
  longest: 'Longest first',
  moments: 'Most moments',
};

/** Orders of a search. */
export const resultOrders: readonly OrderChoice[] = searchOrders.map((value) => ({ value, label: wordings[value] }));

/** Orders of all videos: without a query the best order is the newest first, and there are no moments. */
export const listOrders: readonly OrderChoice[] = [
  { value: 'best', label: wordings.newest },
  { value: 'longest', label: wordings.longest },
];

/** The order that an address names, if it is among these; else the first of them. */
export function readOrder(params: URLSearchParams, orders: readonly OrderChoice[]): SearchOrder {
  return orders.find(({ value }) => value === params.get('sort'))?.value ?? 'best';
}

/** The address with this order instead of its own. */
export function writeOrder(params: URLSearchParams, order: SearchOrder): URLSearchParams {
  const written = new URLSearchParams(params);
  if (order === 'best') written.delete('sort');
  else written.set('sort', order);
  return written;
}
