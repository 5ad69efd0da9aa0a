import type { Route } from '#contract/route.ts';

export type CallInput = Readonly<Record<string, string | number | boolean | null | readonly (string | number | object)[] | undefined>>;

/** Fills `:name` parts of the path from the input; what is left over becomes the query (GET) or the JSON body. */
export function buildRequest(
  { method, path: pattern }: Pick<Route, 'method' | 'path'>,
  input: CallInput,
): { method: string; path: string; body?: string } {
  const rest = new Map(Object.entries(input));
  const path = pattern.replace(/:([a-zA-Z]+)/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (typeof value !== 'string') throw new Error(`The call ${method} ${pattern} needs "${name}".`);
    return encodeURIComponent(value);
  });
  if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  const text = query.toString();
  return { method, path: text ? `${path}?${text}` : path };
}
