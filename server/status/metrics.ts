import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ArchiveStatus } from '#contract/status.ts';
import type { Log } from '#domain/system/log.ts';
import { routeOf } from '../http/route-of.ts';

export interface Metrics {
  readonly type: string;
  /** What a Prometheus server reads (text format 0.0.4), with how the archive stands at this moment. */
  write(status: ArchiveStatus): Promise<string>;
}

const bucketsSeconds = [0.005, 0.02, 0.1, 0.3, 1, 5, 30];

/**
 * Counts every answer by its route and status, and logs it; a route is told as the table writes it, so that no id, query or token is ever
 * part of it. Each application has figures of its own: the library's registry for a whole process is not used.
 */
export function watchAnswers(app: FastifyInstance, log: Log): Metrics {
  const registry = new Registry();
  const answers = new Histogram({
    name: 'rushes_http_request_seconds',
    help: 'How long requests took, by the route that answered and its status.',
    labelNames: ['method', 'route', 'status'],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: placeOf(request), status: String(reply.statusCode) };
    answers.observe(labels, reply.elapsedTime / 1_000);
    log.info('request', { request: request.id, ...labels, ms: Math.round(reply.elapsedTime) });
    done();
  });
  const tellStanding = addStandingGauges(registry);
  tellOfProcess(registry);
  return {
    type: registry.contentType,
    write: async (status) => {
      tellStanding(status);
      return await registry.metrics();
    },
  };
}

/** A row of the table, `page` for a page, and nothing of what somebody asked for. */
function placeOf(request: FastifyRequest): string {
  return routeOf(request)?.path ?? (request.routeOptions.url === undefined ? 'nothing' : 'page');
}

type Value = readonly [labels: Readonly<Record<string, string | number>>, value: number];

interface Standing {
  readonly help: string;
  readonly labels?: readonly string[];
  readonly values: (status: ArchiveStatus) => readonly Value[];
}

const livingIn = ({ processes }: ArchiveStatus) => processes.filter(({ isAlive }) => isAlive);
const measureAge = ({ at }: ArchiveStatus, instant: string | null) =>
  instant === null ? 0 : (Date.parse(at) - Date.parse(instant)) / 1_000;
const toOneValue = (value: number): Value[] => [[{}, value]];

/** How the archive stands, by the names of its figures after `rushes_`. */
const standing: Readonly<Record<string, Standing>> = {
  processes: {
    help: 'Running processes, by what they do.',
    labels: ['does'],
    values: (status) => (['web', 'ingest'] as const).map((does) => [{ does }, livingIn(status).filter((one) => one.does === does).length]),
  },
  queue_films: {
    help: 'Videos that are waiting or in progress.',
    labels: ['queue', 'state'],
    values: ({ queues }) =>
      queues.flatMap(({ name: queue, waiting, working }): Value[] => [
        [{ queue, state: 'waiting' }, waiting],
        [{ queue, state: 'working' }, working],
      ]),
  },
  queue_oldest_seconds: {
    help: 'How long the oldest waiting video has waited; 0 if none is waiting.',
    labels: ['queue'],
    values: (status) => status.queues.map(({ name: queue, oldestAt }) => [{ queue }, measureAge(status, oldestAt)]),
  },
  disk_free_bytes: {
    help: 'Free space of the disk under the data folder.',
    labels: ['machine'],
    values: (status) => livingIn(status).flatMap(({ machine, disk }): Value[] => (disk ? [[{ machine }, disk.freeBytes]] : [])),
  },
  process_memory_bytes: {
    help: 'Memory of each process.',
    labels: ['machine', 'does', 'pid'],
    values: (status) => livingIn(status).map(({ machine, does, pid, memoryBytes }) => [{ machine, does, pid }, memoryBytes]),
  },
  index_batch: { help: 'Current version of the search index.', values: ({ index }) => (index ? toOneValue(index.batch) : []) },
  index_films: { help: 'Videos in the search index.', values: ({ index }) => (index ? toOneValue(index.films) : []) },
  database_connections: {
    help: 'Database connections in use.',
    values: ({ database }) => toOneValue(database.connections),
  },
  database_size_bytes: { help: 'Size of the database.', values: ({ database }) => toOneValue(database.sizeBytes) },
  originals_bytes: { help: 'Total size of the originals.', values: ({ store }) => toOneValue(store.originalsBytes) },
  backup_age_seconds: {
    help: 'Age of the last good backup; -1 if there is none.',
    values: (status) => toOneValue(status.backup.lastGoodAt === null ? -1 : measureAge(status, status.backup.lastGoodAt)),
  },
  certificate_seconds_left: {
    help: 'Time until a certificate expires.',
    labels: ['of'],
    values: (status) =>
      (status.outside?.certificates ?? []).flatMap(({ of, endsAt }): Value[] => (endsAt ? [[{ of }, -measureAge(status, endsAt)]] : [])),
  },
  warnings: {
    help: 'Warnings for the operator.',
    labels: ['is'],
    values: ({ warnings }) => (['bad', 'hint'] as const).map((is) => [{ is }, warnings.filter((one) => one.is === is).length]),
  },
};

/** Gives what sets all of them at once: what is gone since is told no more. */
function addStandingGauges(registry: Registry): (status: ArchiveStatus) => void {
  const gauges = Object.entries(standing).map(([name, { help, labels = [], values }]) => {
    const gauge = new Gauge({ name: `rushes_${name}`, help, labelNames: labels, registers: [registry] });
    return { gauge, values, isOne: labels.length === 0 };
  });
  return (status) => {
    for (const { gauge, values, isOne } of gauges) {
      gauge.reset();
      // The library puts a 0 there.
      if (isOne) gauge.remove();
      for (const [labels, value] of values(status)) gauge.set(labels, value);
    }
  };
}

/**
 * What every process of every program tells, by the names that are usual. The library's own set of these is larger, and watches the
 * process all the time, whether anybody reads it or not.
 */
function tellOfProcess(registry: Registry): void {
  const registers = [registry];
  const processor: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of this process.',
    registers,
    collect: () => {
      const { user, system } = process.cpuUsage();
      processor.reset();
      processor.inc((user + system) / 1e6);
    },
  });
  const tell = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
  };
  tell('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
  tell('nodejs_heap_size_used_bytes', 'Heap memory of this process.', () => process.memoryUsage().heapUsed);
  tell('process_start_time_seconds', 'When this process started.', () => Math.round(Date.now() / 1_000 - process.uptime()));
}
