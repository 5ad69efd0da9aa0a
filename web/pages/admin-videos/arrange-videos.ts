import { fold, type ListedVideo } from './listed-video.ts';

const columns = ['name', 'id', 'externalId', 'created', 'encoding'] as const;
export type Column = (typeof columns)[number];

/** How the table is looked at; it stands in the address. */
export interface View {
  readonly filter: string;
  readonly sort: Column;
  readonly order: 'asc' | 'desc';
}

export function readView(params: URLSearchParams): View {
  const sort = columns.find((column) => column === params.get('sort')) ?? 'created';
  const order = params.get('order');
  return { filter: params.get('filter') ?? '', sort, order: order === 'asc' || order === 'desc' ? order : firstOrderOf(sort) };
}

/** The address's parameters for a view; what goes without saying is left out. */
export function writeView({ filter, sort, order }: View): URLSearchParams {
  const params = new URLSearchParams();
  if (filter) params.set('filter', filter);
  if (sort !== 'created' || order !== firstOrderOf(sort)) {
    params.set('sort', sort);
    params.set('order', order);
  }
  return params;
}

/** What the first press of a column's head does: texts from A, dates from the newest. */
function firstOrderOf(sort: Column): View['order'] {
  return sort === 'created' ? 'desc' : 'asc';
}

/** Pressing the head of the column that the table is sorted by turns it round. */
export function sortBy(view: View, sort: Column): View {
  const turned = view.order === 'asc' ? 'desc' : 'asc';
  return { ...view, sort, order: view.sort === sort ? turned : firstOrderOf(sort) };
}

/**
 * The videos whose name, id, external id or unfinished state holds the filter's text, in the order asked for; what lacks the value comes
 * last. Until another order is asked for, those that failed stand above the rest.
 */
export function arrangeVideos(videos: readonly ListedVideo[], { filter, sort, order }: View): ListedVideo[] {
  const wanted = fold(filter.trim());
  const found = wanted === '' ? [...videos] : videos.filter(({ filterText }) => filterText.includes(wanted));
  const keyOf = keys[sort];
  const direction = order === 'asc' ? 1 : -1;
  const isUsual = sort === 'created' && order === 'desc';
  return found.sort((a, b) => {
    if (isUsual && (a.failure === null) !== (b.failure === null)) return a.failure ? -1 : 1;
    const one = keyOf(a);
    const other = keyOf(b);
    if (one === other) return 0;
    if (one === '' || other === '') return one === '' ? 1 : -1;
    return one < other ? -direction : direction;
  });
}

const keys: Readonly<Record<Column, (video: ListedVideo) => string | number>> = {
  name: ({ nameKey }) => nameKey,
  id: ({ id }) => id,
  externalId: ({ externalIdKey }) => externalIdKey,
  created: ({ createdMs }) => createdMs,
  encoding: ({ encoding }) => encoding,
};
