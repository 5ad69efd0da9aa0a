import { availableParallelism } from 'node:os';

/*
 * What LanceDB takes from nowhere but the environment, when it first needs it. It would read, and keep, 128 words of an index together, so
 * that a rare one brings in the rows of whatever common ones stand beside it. And it would leave two cores to reading files: on a machine
 * that has no more, the questions of one search waited for each other. What is set already counts.
 */
const settings = { LANCE_FTS_POSTING_GROUP_MAX_TOKENS: 1, LANCE_CPU_THREADS: Math.max(4, availableParallelism()) };
for (const [name, value] of Object.entries(settings)) {
  // biome-ignore lint/style/noProcessEnv: it is not read here, but by LanceDB
  process.env[name] ??= String(value);
}
