/**
 * Asks another machine: an address that the operator named, or one that has a model which an administrator wants. What goes out goes through here,
 * but for what sign-in asks its providers. Rejects as `fetch` does.
 */
export async function askOutside(url: string | URL, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  return await globalThis.fetch(url, request);
}
