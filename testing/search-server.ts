import { join } from 'node:path';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createContext } from '#server/context.ts';
import type { TranscriptArchive } from './transcript-archive.ts';
import { withoutLimits } from './without-limits.ts';
import { writeTestPages } from './write-test-pages.ts';

export interface SearchServer {
  /** Address of the search route, without its query. */
  readonly searchAddress: string;
  readonly accessToken: string;
  /** The limits that it runs with. */
  readonly limits: { readonly perMinute: number; readonly burst: number };
  close(): Promise<void>;
}

/** The real server on an archive, listening on a port of its own, with limits that a benchmark does not meet. */
export async function startSearchServer({ dataFolder, pool }: Pick<TranscriptArchive, 'dataFolder' | 'pool'>): Promise<SearchServer> {
  const pagesFolder = join(dataFolder, 'pages');
  writeTestPages(pagesFolder);
  const config = readConfig({
    RUSHES_DATA: dataFolder,
    RUSHES_PAGES: pagesFolder,
    RUSHES_LOG: 'error',
    ...withoutLimits,
  });
  const context = await createContext(config, pool);
  const app = await buildApp(context);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const { location, accountId } = config.videoService;
  return {
    searchAddress: `${origin}/${location}/Accounts/${accountId}/Videos/Search`,
    accessToken: await mintAccountToken(context.secrets, { caller: 'benchmark', adminFields: false }),
    limits: config.rateLimits.search,
    close: async () => {
      await app.close();
      context.search.close();
    },
  };
}
