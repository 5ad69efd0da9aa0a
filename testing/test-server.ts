import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { openPool, type Pool } from '#domain/db/database.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { createFastify } from '#server/http/create-fastify.ts';
import { createTestDatabase } from './test-database.ts';
import { writeTestPages } from './write-test-pages.ts';

export interface TestServer {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** Base path of the account's video service: `/trial/Accounts/{guid}`. */
  readonly account: string;
  /** An account token of a guest; the same `caller` gets the same thumbnails. */
  guestToken(caller?: string): Promise<string>;
  /** Every route that the application registers: `GET /api/session`. */
  readonly routes: ReadonlySet<string>;
  /** Listens on a free port of this machine, once, and returns the origin. */
  listen(): Promise<string>;
  /** Another process of the same archive: its own connections, the same database and data folder. To be stopped before this one. */
  startBeside(): Promise<Omit<TestServer, 'startBeside'>>;
  stop(): Promise<void>;
}

/** The whole application on a database and a data folder of its own. `env` is what an operator would set. */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-test-'));
  writeTestPages(join(dataFolder, 'pages'));
  const server = await startOn({ pool: database.pool, url: database.url, dataFolder }, env);
  return {
    ...server,
    startBeside: async () => {
      const pool = openPool(database.address);
      const beside = await startOn({ pool, url: database.url, dataFolder }, env);
      return { ...beside, stop: () => beside.stop().then(() => pool.end()) };
    },
    stop: async () => {
      await server.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

interface Ground {
  readonly pool: Pool;
  readonly url: string;
  readonly dataFolder: string;
}

async function startOn({ pool, url, dataFolder }: Ground, env: Record<string, string>): Promise<Omit<TestServer, 'startBeside'>> {
  const config = readConfig({
    RUSHES_DATA: dataFolder,
    DATABASE_URL: url,
    RUSHES_PAGES: join(dataFolder, 'pages'),
    RUSHES_LOG: 'error',
    // A practice archive answers nothing that comes from a proxy.
    ...(env.RUSHES_TRUST_PROXY ? { RUSHES_PUBLIC_URL: 'http://localhost:4141' } : {}),
    ...env,
  });
  const context = await createContext(config, pool);
  const bare = createFastify(context);
  const routes = new Set<string>();
  bare.addHook('onRoute', ({ method, url }) => void routes.add(`${method} ${url}`));
  const app = await buildApp(context, bare);
  await app.ready();
  const { location, accountId } = config.videoService;
  return {
    app,
    context,
    account: `/${location}/Accounts/${accountId}`,
    guestToken: (caller = 'guest-of-a-test') => mintAccountToken(context.secrets, { caller, adminFields: false }),
    routes,
    listen: async () => (app.server.listening ? app.listeningOrigin : await app.listen({ host: '127.0.0.1', port: 0 })),
    stop: async () => {
      await app.close();
      context.search.close();
    },
  };
}
