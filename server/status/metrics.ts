import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ArchiveStatus } from '#contract/status.ts';
import { routeOf } from '../http/route-of.ts';
import type { Log } from '../log.ts';

export interface Metrics {
  /** What a Prometheus server reads (text format 0.0.4), with how the archive stands at this moment. */
  write(status: ArchiveStatus): string;
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const bucketsSeconds = [0.005, 0.02, 0.1, 0.3, 1, 5, 30];

type Labels = Readonly<Record<string, string | number>>;

interface Answers {
  readonly labels: Labels;
  count: number;
  sumSeconds: number;
  /** How many took as long as the bucket of the same place, or less. */
  readonly within: number[];
}

/** Counts every answer by its route and status, and logs it; a route is told as the table writes it, so that no id, query or token is ever part of it. */
export function watchAnswers(app: FastifyInstance, log: Log): Metrics {
  const answers = new Map<string, Answers>();
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: placeOf(request), status: String(reply.statusCode) };
    count(answers, labels, reply.elapsedTime / 1_000);
    log.info('request', { request: request.id, ...labels, ms: Math.round(reply.elapsedTime) });
    done();
  });
  return { write: (status) => [...answerLines(answers), ...standingLines(status), ...processLines()].join('\n').concat('\n') };
}

/** A row of the table, `page` for a page, and nothing of what somebody asked for. */
function placeOf(request: FastifyRequest): string {
  return routeOf(request)?.path ?? (request.routeOptions.url === undefined ? 'nothing' : 'page');
}

function count(answers: Map<string, Answers>, labels: Labels, seconds: number): void {
  const key = JSON.stringify(labels);
  const known = answers.get(key) ?? { labels, count: 0, sumSeconds: 0, within: bucketsSeconds.map(() => 0) };
  answers.set(key, known);
  known.count += 1;
  known.sumSeconds += seconds;
  for (const [place, most] of bucketsSeconds.entries()) if (seconds <= most) known.within[place] = (known.within[place] ?? 0) + 1;
}

function answerLines(answers: ReadonlyMap<string, Answers>): string[] {
  const name = 'rushes_http_request_seconds';
  const lines = [...answers.values()].flatMap((one) => [
    ...bucketsSeconds.map((most, place) => line(`${name}_bucket`, { ...one.labels, le: most }, one.within[place] ?? 0)),
    line(`${name}_bucket`, { ...one.labels, le: '+Inf' }, one.count),
    line(`${name}_sum`, one.labels, one.sumSeconds),
    line(`${name}_count`, one.labels, one.count),
  ]);
  return [`# HELP ${name} How long requests took, by the route that answered and its status.`, `# TYPE ${name} histogram`, ...lines];
}

function standingLines({ at, processes, queues, index, database, store, backup, outside, warnings }: ArchiveStatus): string[] {
  const age = (instant: string | null) => (instant === null ? 0 : (Date.parse(at) - Date.parse(instant)) / 1_000);
  const living = processes.filter(({ isAlive }) => isAlive);
  const doing = (does: string) => living.filter((one) => one.does === does).length;
  const disks = new Map(living.flatMap(({ machine, disk }) => (disk ? [[machine, disk.freeBytes] as const] : [])));
  return [
    ...gauge('processes', 'Processes that live, by what they do.', [
      [{ does: 'web' }, doing('web')],
      [{ does: 'ingest' }, doing('ingest')],
    ]),
    ...gauge(
      'queue_films',
      'Films that wait or are worked on.',
      queues.flatMap(({ name: queue, waiting, working }): Value[] => [
        [{ queue, state: 'waiting' }, waiting],
        [{ queue, state: 'working' }, working],
      ]),
    ),
    ...gauge(
      'queue_oldest_seconds',
      'How long the film has waited that waits longest; 0 where none does.',
      queues.map(({ name: queue, oldestAt }) => [{ queue }, age(oldestAt)]),
    ),
    ...gauge(
      'disk_free_bytes',
      'Free space of the disk under the data folder.',
      [...disks].map(([machine, bytes]) => [{ machine }, bytes]),
    ),
    ...gauge(
      'process_memory_bytes',
      'Memory of each process.',
      living.map(({ machine, does, pid, memoryBytes }) => [{ machine, does, pid }, memoryBytes]),
    ),
    ...gauge('index_batch', 'Version of the search index that counts.', [[{}, index.batch]]),
    ...gauge('index_films', 'Films in the search index.', [[{}, index.films]]),
    ...gauge('database_connections', 'Connections of the database that are in use.', [[{}, database.connections]]),
    ...gauge('database_size_bytes', 'Size of the database.', [[{}, database.sizeBytes]]),
    ...gauge('originals_bytes', 'Size of all originals.', [[{}, store.originalsBytes]]),
    ...gauge('backup_age_seconds', 'Age of the last good backup; -1 where there is none.', [
      [{}, backup.lastGoodAt === null ? -1 : age(backup.lastGoodAt)],
    ]),
    ...gauge(
      'certificate_seconds_left',
      'How long a certificate is good.',
      (outside?.certificates ?? []).flatMap(({ of, endsAt }): Value[] => (endsAt ? [[{ of }, -age(endsAt)]] : [])),
    ),
    ...gauge(
      'warnings',
      'What an operator should do something about.',
      (['bad', 'hint'] as const).map((is) => [{ is }, warnings.filter((one) => one.is === is).length]),
    ),
  ];
}

/** What every process of every program tells, by the names that are usual. */
function processLines(): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    ...family('process_cpu_seconds_total', {
      type: 'counter',
      help: 'Processor time of this process.',
      values: [[{}, (user + system) / 1e6]],
    }),
    ...family('process_resident_memory_bytes', { type: 'gauge', help: 'Memory of this process.', values: [[{}, rss]] }),
    ...family('nodejs_heap_size_used_bytes', { type: 'gauge', help: 'Memory of its objects.', values: [[{}, heapUsed]] }),
    ...family('process_start_time_seconds', {
      type: 'gauge',
      help: 'When this process began.',
      values: [[{}, Math.round(Date.now() / 1_000 - process.uptime())]],
    }),
  ];
}

type Value = readonly [labels: Labels, value: number];

function gauge(name: string, help: string, values: readonly Value[]): string[] {
  return family(`rushes_${name}`, { type: 'gauge', help, values });
}

function family(name: string, { type, help, values }: { type: string; help: string; values: readonly Value[] }): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(([labels, value]) => line(name, labels, value))];
}

function line(name: string, labels: Labels, value: number): string {
  const told = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
  return `${name}${told.length > 0 ? `{${told.join(',')}}` : ''} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
