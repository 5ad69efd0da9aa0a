import type { HTTPMethods } from 'fastify';
import type { Route } from '#contract/route.ts';
import { type Answer, faultOf, identities, refusals } from '#server/access-check/identities.ts';
import { addIdentity, askAs, type Ground, rows } from './role-matrix.ts';

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Findings {
  checks: number;
  /** What was answered and should not have been, in words. */
  readonly leaks: string[];
}

/** Asks for one row as everybody, by its method and, where that reads, by HEAD; and by every method that no row has at its path. */
export async function findLeaks(ground: Ground, row: Route): Promise<Findings> {
  const found: Findings = { checks: 0, leaks: [] };
  const say = (question: string, answer: Answer, fault: string | undefined) => {
    found.checks += 1;
    if (fault) found.leaks.push(`${question}: ${answer.statusCode}, ${fault}`);
  };
  const methods = row.method === 'GET' ? (['GET', 'HEAD'] as const) : [row.method];
  for (const identity of identities) {
    const isRefused = refusals[row.need][identity] !== undefined;
    // A call that is refused does nothing to whoever makes it: one person makes them all.
    const person = isRefused && identity !== 'guest' ? await addIdentity(ground.context, identity) : undefined;
    for (const method of methods) {
      const answer = await askAs(ground, { row, identity, method, person });
      say(`${method} ${row.path} as ${identity}`, answer, faultOf(row, identity, answer));
      if (!isRefused || !/:(id|uid|sid)\b/.test(row.path)) continue;
      // Who may not see something must not learn whether it is there.
      const unknown = await askAs(ground, { row, identity, method, exists: false, person });
      say(`${method} ${row.path} as ${identity} of nobody`, unknown, isSameRefusal(unknown, answer) ? undefined : 'unlike of somebody');
    }
  }
  const taken = rows.filter(({ path }) => path === row.path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const admin = await addIdentity(ground.context, 'admin');
  for (const method of allMethods.filter((one) => !taken.includes(one))) {
    for (const identity of ['guest', 'admin'] as const) {
      const answer = await askAs(ground, { row, identity, method, person: admin });
      // 401 and 403 are said by another row whose pattern this address fits too.
      const isAnswered = ![401, 403, 404, 405].includes(answer.statusCode);
      say(`${method} ${row.path} as ${identity}`, answer, isAnswered ? 'which no row allows' : undefined);
    }
  }
  return found;
}

function isSameRefusal(one: Answer, other: Answer): boolean {
  return one.statusCode === other.statusCode && withoutRequestId(one.body) === withoutRequestId(other.body);
}

function withoutRequestId(body: string): string {
  return body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
}
