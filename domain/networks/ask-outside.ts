/** Asks another machine. The only outgoing `fetch` of ingest and of callbacks: for addresses that the operator named, or a model that an administrator wants. Rejects as `fetch` does. */
export async function askOutside(url: string | URL, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return await globalThis.fetch(url, request);
}
