import { once } from 'node:events';
import type pg from 'pg';
import type { PoolClient } from 'pg';

/** What the library's connection can do for COPY; its types leave it out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Runs a `copy … to stdout` and gives its bytes to `take`, in order, as they come; the server waits while `take` does. Returns the
 * number of rows. Throws as a query does, and what `take` throws; the connection is of no further use then.
 */
export async function copyOut(client: PoolClient, text: string, take: (bytes: Buffer) => Promise<void>): Promise<number> {
  const ended = Promise.withResolvers<number>();
  let rows = 0;
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
  let waitingBytes = 0;
  let taken: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const give = (stream: pg.Connection['stream']) => {
    const bytes = Buffer.concat(gathered);
    gathered = [];
    gatheredBytes = 0;
    waitingBytes += bytes.length;
    if (waitingBytes > mostWaitingBytes) stream.pause();
    taken = taken.then(async () => {
      await take(bytes);
      waitingBytes -= bytes.length;
      if (waitingBytes <= mostWaitingBytes) stream.resume();
    });
    taken.catch((error: unknown) => {
      hasFailed = true;
      stream.resume();
      ended.reject(error);
    });
  };
  const query = {
    ...answersOf(ended, (count) => (rows = count)),
    submit: (connection: pg.Connection) => connection.query(text),
    handleCopyData: ({ chunk }: { chunk: Buffer }, { stream }: pg.Connection) => {
      if (hasFailed) return;
      // The library gives a piece of its own buffer, which it fills again.
      gathered.push(Buffer.from(chunk));
      gatheredBytes += chunk.length;
      if (gatheredBytes >= piecesOfBytes) give(stream);
    },
    handleReadyForQuery: ({ stream }: pg.Connection) => {
      give(stream);
      taken.then(() => ended.resolve(rows), ended.reject);
    },
  };
  client.query(query);
  return await ended.promise;
}

/** Runs a `copy … from stdin` with these bytes. Returns the number of rows; throws as a query does, and what `source` throws. */
export async function copyIn(client: PoolClient, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const ended = Promise.withResolvers<number>();
  let rows = 0;
  let failure: unknown;
  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), ended.promise]);
      }
      connection.endCopyFrom();
    } catch (error) {
      failure = error;
      connection.sendCopyFail('the rows could not be read');
    }
  };
  const query = {
    ...answersOf(ended, (count) => (rows = count)),
    submit: (connection: pg.Connection) => connection.query(text),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleReadyForQuery: () => ended.resolve(rows),
  };
  client.query(query);
  return await ended.promise.catch((error: unknown) => {
    throw failure ?? error;
  });
}

/** A row is a message of its own, and most are short: work is done for pieces of this size. */
const piecesOfBytes = 64 * 1024;
const mostWaitingBytes = 4 * 1024 * 1024;

/** What both directions do with the server's other answers. */
function answersOf(ended: PromiseWithResolvers<number>, count: (rows: number) => void) {
  return {
    handleRowDescription: () => {},
    handleCommandComplete: ({ text }: { text: string }) => count(Number(text.split(' ')[1] ?? 0)),
    handleError: (error: Error) => ended.reject(error),
  };
}
