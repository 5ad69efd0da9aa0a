import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openPool } from '#domain/db/database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { followIndex } from '#domain/search-index/index-follower.ts';

/* A machine that brings its copy of the index up to date once, and may be killed in the middle of it. */
const Orders = z.object({ databaseUrl: z.string(), storeFolder: z.string(), dataFolder: z.string() });
const { databaseUrl, storeFolder, dataFolder } = Orders.parse(JSON.parse(await text(process.stdin)));
const pool = openPool({ connectionString: databaseUrl });
await followIndex(pool, toIndexCopy({ folder: archiveFolderIn(dataFolder), store: openLocalStore(storeFolder) }));
await pool.end();
