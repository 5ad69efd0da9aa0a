import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ArchiveStatus } from '#contract/status.ts';
import { routeOf } from '../http/route-of.ts';
import type { Log } from '../log.ts';

export interface Metrics {
  /** What a Prometheus server reads, with how the archive stands at this moment. */
  write(status: ArchiveStatus): Promise<string>;
  readonly contentType: string;
}

/** Counts every answer by its route and status, and logs it; a route is told as the table writes it, so that no id, query or token is ever part of it. */
export function watchAnswers(app: FastifyInstance, log: Log): Metrics {
  const registry = new Registry();
  const answers = new Histogram({
    name: 'rushes_http_request_seconds',
    help: 'How long requests took, by the route that answered and its status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.3, 1, 5, 30],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: placeOf(request), status: String(reply.statusCode) };
    answers.observe(labels, reply.elapsedTime / 1_000);
    log.info('request', { request: request.id, ...labels, ms: Math.round(reply.elapsedTime) });
    done();
  });
  const standing = standingGauges(registry);
  const ofProcess = { isCollected: false };
  return {
    contentType: registry.contentType,
    write: async (status) => {
      // They watch the process from then on: only where somebody reads them.
      if (!ofProcess.isCollected) collectDefaultMetrics({ register: registry });
      ofProcess.isCollected = true;
      standing(status);
      return await registry.metrics();
    },
  };
}

/** A row of the table, `page` for a page, and nothing of what somebody asked for. */
function placeOf(request: FastifyRequest): string {
  return routeOf(request)?.path ?? (request.routeOptions.url === undefined ? 'nothing' : 'page');
}

/** Gauges for what the status says. */
function standingGauges(registry: Registry): (status: ArchiveStatus) => void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `rushes_${name}`, help, labelNames, registers: [registry] });
  const all = {
    processes: gauge('processes', 'Processes that live, by what they do.', 'does'),
    films: gauge('queue_films', 'Films that wait or are worked on.', 'queue', 'state'),
    oldest: gauge('queue_oldest_seconds', 'How long the film has waited that waits longest; 0 where none does.', 'queue'),
    free: gauge('disk_free_bytes', 'Free space of the disk under the data folder.', 'machine'),
    memory: gauge('process_memory_bytes', 'Memory of each process.', 'machine', 'does', 'pid'),
    batch: gauge('index_batch', 'Version of the search index that counts.'),
    indexed: gauge('index_films', 'Films in the search index.'),
    connections: gauge('database_connections', 'Connections of the database that are in use.'),
    size: gauge('database_size_bytes', 'Size of the database.'),
    originals: gauge('originals_bytes', 'Size of all originals.'),
    backup: gauge('backup_age_seconds', 'Age of the last good backup; -1 where there is none.'),
    certificate: gauge('certificate_seconds_left', 'How long a certificate is good.', 'of'),
    warnings: gauge('warnings', 'What an operator should do something about.', 'is'),
  };
  return ({ at, processes, queues, index, database, store, backup, outside, warnings }) => {
    const age = (instant: string | null) => (instant === null ? 0 : (Date.parse(at) - Date.parse(instant)) / 1_000);
    for (const one of Object.values(all)) one.reset();
    const living = processes.filter(({ isAlive }) => isAlive);
    for (const does of ['web', 'ingest']) all.processes.set({ does }, living.filter((one) => one.does === does).length);
    for (const { machine, does, pid, memoryBytes, disk } of living) {
      all.memory.set({ machine, does, pid: String(pid) }, memoryBytes);
      if (disk) all.free.set({ machine }, disk.freeBytes);
    }
    for (const { name: queue, waiting, working, oldestAt } of queues) {
      all.films.set({ queue, state: 'waiting' }, waiting);
      all.films.set({ queue, state: 'working' }, working);
      all.oldest.set({ queue }, age(oldestAt));
    }
    all.batch.set(index.batch);
    all.indexed.set(index.films);
    all.connections.set(database.connections);
    all.size.set(database.sizeBytes);
    all.originals.set(store.originalsBytes);
    all.backup.set(backup.lastGoodAt === null ? -1 : age(backup.lastGoodAt));
    for (const { of, endsAt } of outside?.certificates ?? []) if (endsAt) all.certificate.set({ of }, -age(endsAt));
    for (const is of ['bad', 'hint']) all.warnings.set({ is }, warnings.filter((one) => one.is === is).length);
  };
}
