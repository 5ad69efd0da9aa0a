/**
 * Asks another machine: the only place where ingest and scripts' calls do, for addresses that the operator named, or for a model that an
 * administrator wants. Rejects as `fetch` does.
 */
export async function askOutside(url: string | URL, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return await globalThis.fetch(url, request);
}
