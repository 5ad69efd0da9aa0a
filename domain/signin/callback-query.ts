/** What only an attacker, or a provider set up for another flow, would send along. */
const unwanted = ['id_token', 'access_token', 'token', 'redirect_uri', 'returnurl', 'callbackurl'];

/** Whether a callback carries what a provider answers and nothing that could mean two things: each name once, and no answer of another flow. */
export function isPlainCallback(query: URLSearchParams): boolean {
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) return false;
  if (names.some((name) => unwanted.includes(name.toLowerCase()) || !/^[\w.-]+$/.test(name))) return false;
  return [...query.values()].every((value) => value.length <= 4_096 && !/\p{Cc}/u.test(value));
}
