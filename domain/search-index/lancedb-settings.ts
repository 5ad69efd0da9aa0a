import { availableParallelism } from 'node:os';

/*
 * What LanceDB takes from nowhere but the environment, when it first needs it. What is set already counts.
 */
const settings = {
  // It would read, and keep, 128 words of an index together, so that a rare one brings in the rows of whatever common ones stand beside it.
  LANCE_FTS_POSTING_GROUP_MAX_TOKENS: 1,
  // It would leave two cores to reading files: on a machine that has no more, the questions of one search waited for each other.
  LANCE_CPU_THREADS: Math.max(4, availableParallelism()),
  // Megabytes that a thread gathers of a word index before it writes them as one part: with 2,048 it took gigabytes of memory.
  LANCE_FTS_PARTITION_SIZE: 512,
  // Parts of a word index that one thread looks through at a time: it would take 16, and the other cores wait.
  LANCE_FTS_SEARCH_CHUNK: 1,
};
for (const [name, value] of Object.entries(settings)) {
  // biome-ignore lint/style/noProcessEnv: it is not read here, but by LanceDB
  process.env[name] ??= String(value);
}
