/** Asks another machine. The only outgoing `fetch` of server, worker and store: for addresses that the operator named, for what a page is asked to bring in, or a model that an administrator wants. Rejects as `fetch` does. */
export async function askOutside(url: string | URL, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return await globalThis.fetch(url, request);
}
