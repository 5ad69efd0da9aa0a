import { setTimeout as wait } from 'node:timers/promises';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson } from '../add-person.ts';
import { seededRandom } from '../seeded-random.ts';
import { until } from '../until.ts';
import { countRounds, type KillFigures } from './kill-figures.ts';
import type { KillableArchive } from './killable-archive.ts';
import { openPeopleLedger } from './people-ledger.ts';
import type { Victim } from './victims.ts';

export type PeopleScene = 'role-change' | 'sign-up' | 'database';

const writersAtOnce = 3;
const peopleAtFirst = 12;
const patienceMs = 3_000;
/** So many changes are acknowledged before a kill at most, and the kill comes so long after the last of them at most. */
const changesMax = 6;
const longestMs = 30;
const victimsOf: Readonly<Record<PeopleScene, readonly Victim[]>> = {
  'role-change': ['server', 'database'],
  'sign-up': ['server', 'database'],
  database: ['database'],
};

/** Lets people sign up and change roles over HTTP, kills server or database meanwhile, and asks after every acknowledged change. */
export async function runPeopleKills(
  archive: KillableArchive,
  scene: PeopleScene,
  options: { rounds: number; seed: number; print: (line: string) => void },
): Promise<KillFigures> {
  const chance = seededRandom(options.seed);
  const { pool } = archive;
  const { cookie } = await addPerson({ pool, secrets: loadSecrets(archive.dataFolder) }, { admin: true });
  const ledger = openPeopleLedger(pool, `${scene}.example`);
  const write = async (stopped: AbortSignal) => {
    for (let n = 0; !stopped.aborted; n++) {
      const signsUp = scene === 'sign-up' || (scene === 'database' && n % 2 === 0);
      const { origin } = archive.served();
      await (signsUp ? ledger.signUp(origin) : ledger.toggleRole(origin, cookie)).catch(() => wait(50));
    }
  };
  // The scene before may have left a database that is on its way down with its server.
  const signUpOne = () =>
    ledger.signUp(archive.served().origin).then(
      () => true,
      () => false,
    );
  for (let n = 0; n < peopleAtFirst; n++) await until(signUpOne);
  await ledger.judge();
  return await countRounds(options.rounds, options.print, async (round) => {
    const victim = victimsOf[scene][round % victimsOf[scene].length] ?? 'database';
    const before = ledger.acknowledged();
    const stopping = new AbortController();
    const writers = Array.from({ length: writersAtOnce }, () => write(stopping.signal));
    const wanted = before + 1 + chance.below(changesMax);
    // Whom the archive did not answer is left alone until it is known how that ended: after a few refusals nobody may be left to change.
    await until(() => ledger.acknowledged() >= wanted, { withinMs: patienceMs }).catch(() => {});
    await wait(chance.below(longestMs));
    await archive.kill(victim);
    stopping.abort();
    await Promise.all(writers);
    await archive.untilAnswering();
    // A request that lost its client may still be on its way to its end.
    await until(
      async () => (await pool.query(`select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()`)).rowCount === 0,
    );
    return { about: `kill ${victim} after ${ledger.acknowledged() - before} changes`, verdict: await ledger.judge() };
  });
}
