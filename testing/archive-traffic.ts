import { inTransaction, type Pool } from '#domain/db/database.ts';
import { createUser } from '#domain/users/create-user.ts';
import { grantAdmin, setRole } from '#domain/users/roles.ts';
import { addMadeVideo } from './add-made-videos.ts';

export interface Traffic {
  /** How many changes were committed so far. */
  readonly changes: () => number;
  /** Ends it; throws when a change was refused. */
  stop(): Promise<void>;
}

/** People sign up, are given a role and lose it, and records appear, one after the other without a pause, until it is stopped. */
export async function startTraffic(pool: Pool): Promise<Traffic> {
  const { uid: actorUid } = await grantAdmin(pool, 'traffic@people.example');
  const over = new AbortController();
  let changes = 0;
  const one = async (n: number) => {
    const newcomer = { name: `Newcomer ${n}`, email: `newcomer-${n}@people.example`, emailVerified: true, from: 'test' };
    const uid = await inTransaction(pool, (db) => createUser(db, newcomer));
    for (const granted of [true, false]) await setRole(pool, { actorUid, uid, role: 'viewer', granted, from: 'test' });
    await addMadeVideo(pool, { id: `traffic-${n}`, title: `Traffic ${n}`, lines: [{ start: 0, end: 4, text: `vehicle number ${n}` }] });
    changes += 4;
  };
  const running = (async () => {
    for (let n = 0; !over.signal.aborted; n++) await one(n);
  })();
  // Heard when it is stopped.
  running.catch(() => {});
  return {
    changes: () => changes,
    stop: () => {
      over.abort();
      return running;
    },
  };
}
