import { join } from 'node:path';
import { AccessToken } from '#contract/session.ts';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { withWriterLock } from '#domain/search-index/keep-index.ts';
import { readConfig } from '#server/config.ts';
import { addMadeVideo } from './add-made-videos.ts';
import { startArchive } from './running-archive.ts';
import { until } from './until.ts';
import { withoutLimits } from './without-limits.ts';
import { writeTestPages } from './write-test-pages.ts';

/** An archive that the real server and its worker run, as processes of their own. */
export interface ServedArchive {
  readonly dataFolder: string;
  /** Of the server process. */
  readonly pid: number;
  /** `http://localhost:PORT`. */
  readonly origin: string;
  /** Address of the search route, without its query. */
  readonly searchAddress: string;
  /** A guest's. */
  readonly accessToken: string;
  /** The settings that the limits of the server were lifted by. */
  readonly limits: Readonly<Record<string, string>>;
  /** Searches over HTTP, again while the archive is busy: the ids of the first page's videos. Throws when the answer is no answer of a search. */
  search(query: string): Promise<string[]>;
  /** Publishes a catalogue record: its id, once it is committed. The worker hears of it as of any other video. */
  addVideo(record: unknown): Promise<string>;
  /** Waits until nothing waits for the index, and the process that writes it has tidied up and ended. */
  untilIndexRests(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts server, worker and PostgreSQL on the archive in `dataFolder`, on a free port, with limits that nobody meets. `settings` are what an operator would set beside. */
export async function serveArchive(dataFolder: string, settings: Readonly<Record<string, string>> = {}): Promise<ServedArchive> {
  const pagesFolder = join(dataFolder, 'pages');
  writeTestPages(pagesFolder);
  const env = { RUSHES_PAGES: pagesFolder, RUSHES_SAMPLES: '0', RUSHES_LOG: 'error', ...withoutLimits, ...settings };
  const running = await startArchive({ dataFolder, env });
  // The server's own PostgreSQL, which is adopted here.
  const { pool } = await openDatabase({ dataFolder });
  const { location, accountId } = readConfig({}).videoService;
  const searchAddress = `${running.origin}/${location}/Accounts/${accountId}/Videos/Search`;
  const token = await fetch(`${running.origin}/api/GetVideoIndexerAccountTokenV2`);
  const { accessToken } = AccessToken.parse(await token.json());
  let stopping: Promise<void> | undefined;
  return {
    dataFolder,
    pid: running.pid,
    origin: running.origin,
    searchAddress,
    accessToken,
    limits: withoutLimits,
    search: async (query) => {
      const address = `${searchAddress}?${new URLSearchParams({ query, accessToken, pageSize: '12' })}`;
      const answered = async () => {
        const answer = await fetch(address);
        if (answer.status === 503) return undefined;
        if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
        return SearchResponse.parse(await answer.json()).results.map(({ id }) => id);
      };
      return await until(answered, { everyMs: 200 });
    },
    addVideo: (record) => addMadeVideo(pool, record),
    untilIndexRests: async () => {
      await until(async () => !(await indexIsBehind(pool)), { withinMs: 600_000, everyMs: 100 });
      await withWriterLock(pool, () => Promise.resolve());
    },
    stop: () => (stopping ??= pool.end().then(() => running.stop())),
  };
}
