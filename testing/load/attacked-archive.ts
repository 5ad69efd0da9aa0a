import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { english } from '#domain/words/languages/english.ts';
import { readConfig } from '#server/config.ts';
import { addMadeVideos } from '../add-made-videos.ts';
import { indexFilms } from '../index-films.ts';
import { startArchive } from '../running-archive.ts';
import { seededRandom } from '../seeded-random.ts';
import { createTestDatabase } from '../test-database.ts';
import { writeTestPages } from '../write-test-pages.ts';

/** A served archive that somebody attacks, with the limits that it is shipped with. */
export interface AttackedArchive {
  readonly port: number;
  /** Path of the search route, without its query. */
  readonly searchPath: string;
  /** Account tokens of two guests: one of who attacks, one of the others. */
  readonly tokens: { readonly attacker: string; readonly others: string };
  /** What the server process holds in memory, in megabytes. */
  rssMB(): number;
  stop(): Promise<void>;
}

/** What the films speak of; visitors ask for two of these words. */
export const topics =
  'moon space rocket water apollo people world science light energy school music city nation money health story market'.split(' ');

const wordsPerLine = 11;
const AccessToken = z.object({ accessToken: z.string() });

/** Makes films in which people speak of the topics, mostly in words that say nothing, indexes them, and starts the real server on them. */
export async function startAttackedArchive({ films, lines }: { films: number; lines: number }): Promise<AttackedArchive> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-attacked-'));
  const pages = join(dataFolder, 'pages');
  writeTestPages(pages);
  const database = await createTestDatabase();
  await addMadeVideos(database.pool, madeFilms({ films, lines }), () => {});
  await indexFilms({ pool: database.pool, ...openArchiveFiles(dataFolder) });
  const env = { RUSHES_ROLES: 'web', RUSHES_PAGES: pages, RUSHES_LOG: 'error' };
  const running = await startArchive({ dataFolder, databaseUrl: database.url, env });
  const { location, accountId } = readConfig({}).videoService;
  return {
    port: Number(new URL(running.origin).port),
    searchPath: `/${location}/Accounts/${accountId}/Videos/Search`,
    tokens: { attacker: await guestToken(running.origin), others: await guestToken(running.origin) },
    rssMB: () => Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1_024),
    stop: async () => {
      await running.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function guestToken(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/GetVideoIndexerAccountTokenV2`);
  return AccessToken.parse(await answer.json()).accessToken;
}

function* madeFilms({ films, lines }: { films: number; lines: number }): Generator<object> {
  const random = seededRandom(11);
  const [empty, rare] = [[...english.stopWords], Array.from({ length: 20_000 }, (_, n) => `w${n.toString(36)}q`)];
  const word = () => {
    const kind = random.next();
    if (kind < 0.5) return random.pick(empty);
    return kind < 0.6 ? random.pick(topics) : rare[Math.floor(random.next() ** 3 * rare.length)];
  };
  for (let film = 0; film < films; film++) {
    yield {
      id: `film-${film}`,
      title: `Film ${film}`,
      durationSeconds: lines * 5,
      lines: Array.from({ length: lines }, (_, n) => ({
        start: n * 5,
        text: Array.from({ length: wordsPerLine }, word).join(' '),
      })),
    };
  }
}
