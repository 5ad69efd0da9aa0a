import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '#domain/db/open-database.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { hasDebianPostgres, startDebianPostgres } from '#testing/debian-postgres.ts';
import { indexFilms } from '#testing/index-films.ts';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';

test.skipIf(!hasDebianPostgres)('an archive works on the PostgreSQL 15 that DATABASE_URL names', { timeout: 120_000 }, async () => {
  const postgres = await startDebianPostgres();
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-given-'));
  const config = readConfig({ RUSHES_DATA: dataFolder, DATABASE_URL: postgres.url, RUSHES_PAGES: dataFolder });
  const database = await openDatabase(config);
  const context = await createContext(config, database.pool);
  const app = await buildApp(context);
  try {
    const film = await addFilm(context, { lines: ['the lighthouse before the storm'] });
    await indexFilms(context);
    const token = await mintAccountToken(context.secrets, { caller: 'guest', adminFields: false });
    const { location, accountId } = config.videoService;
    const found = await app.inject({ url: `/${location}/Accounts/${accountId}/Videos/Search?query=lighthouse&accessToken=${token}` });
    expect(found.json().results.map(({ id }: { id: string }) => id)).toEqual([film]);
    const viewer = await addPerson(context, { viewer: true });
    const headers = { authorization: `Bearer ${await viewer.videoToken(film)}` };
    expect((await app.inject({ url: `/media/${film}/hls/master.m3u8`, headers })).statusCode).toBe(200);
  } finally {
    await app.close();
    context.search.close();
    await database.close();
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
