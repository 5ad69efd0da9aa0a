import type { FileStore } from '#domain/files/store.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { type IndexMachine, openIndexMachine } from './index-machine.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** An archive whose index several machines have, each in a folder of its own. */
export interface SharedIndex {
  readonly database: TestDatabase;
  machineWith(store: FileStore): IndexMachine;
  /** Publishes so many films, different ones every time; nothing is indexed yet. */
  publish(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What to ask of these films. */
export const askedOfFilms = ['heron', 'number', 'curlew', 'the', '7'];

const linesPerFilm = 25;

export async function openSharedIndex(): Promise<SharedIndex> {
  const database = await createTestDatabase();
  const machines: IndexMachine[] = [];
  let made = 0;
  return {
    database,
    machineWith: (store) => {
      const machine = openIndexMachine(store);
      machines.push(machine);
      return machine;
    },
    publish: async (count) => {
      const films = Array.from({ length: count }, () => filmNumber(++made));
      await createCatalogueVideos(database.pool, films);
    },
    close: async () => {
      for (const machine of machines) machine.close();
      await database.drop();
    },
  };
}

function filmNumber(number: number): CatalogueRecord {
  const lines = Array.from({ length: linesPerFilm }, (_, n) => {
    return { start: n, end: n + 1, text: `The heron number ${number} says ${n} to the ${number}.` };
  });
  return CatalogueRecord.parse({ id: `film-${number}`, title: `Heron ${number}`, lines });
}
