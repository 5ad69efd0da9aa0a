import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startLocalPg } from '#domain/db/own-postgres/local-pg.ts';

/*
 * One of two that want the same database: `node two-databases-part.ts FOLDER NAME BEGINS_AT` starts or adopts it, writes its name down,
 * says so, and goes on until it is killed.
 */
const [folder = '', name = '', beginsAt = '0'] = process.argv.slice(2);
await wait(Math.max(0, Number(beginsAt) - Date.now()));
const { superuser } = await startLocalPg(folder, { tied: true });
const client = new pg.Client({ ...superuser, database: 'postgres' });
client.on('error', () => {});
await client.connect();
await client.query('insert into names values ($1)', [name]);
await client.end();
process.stdout.write('written\n');
setInterval(() => {}, 60_000);
