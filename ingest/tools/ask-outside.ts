/**
 * Asks another machine: the only place where ingest does, for addresses that the operator named, or for a model that an administrator
 * wants. Rejects as `fetch` does.
 */
export async function askOutside(url: string, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return await globalThis.fetch(url, request);
}
