import { expect, test } from 'vitest';
import { listOurTables } from '#domain/backup/our-tables.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { keptAboutPeople } from './kept-data.ts';

/** Columns that tell nothing of anybody: what a film is as a file, how far work on it has come, how the archive keeps itself. */
const nothingPersonal: Readonly<Record<string, string>> = {
  'jobs.bam': 'id name version status queue table_name command error created_on started_on completed_on',
  // Of what waits to be done; its data is the id of a film.
  'jobs.job':
    'id name priority data state retry_limit retry_count retry_delay retry_backoff retry_delay_max expire_seconds deletion_seconds singleton_key singleton_on group_id group_tier start_after created_on started_on completed_on keep_until output dead_letter policy heartbeat_on heartbeat_seconds blocked blocking pending_dependencies source_name source_id source_created_on source_retry_count',
  'jobs.job_dependency': 'child_name child_id parent_name parent_id',
  'jobs.queue':
    'name policy retry_limit retry_delay retry_backoff retry_delay_max expire_seconds retention_seconds deletion_seconds dead_letter partition table_name deferred_count queued_count ready_count warning_queued active_count failed_count total_count ready_history heartbeat_seconds notify singletons_active monitor_claim_on monitor_on maintain_on created_on updated_on',
  'jobs.queue_stats': 'id name deferred_count queued_count ready_count active_count failed_count total_count captured_on',
  'jobs.schedule': 'name key cron timezone data options created_on updated_on',
  'jobs.subscription': 'event name created_on updated_on',
  'jobs.version': 'version cron_on bam_on flow_on reindex_on monitor_backoff_on',
  'jobs.warning': 'id type message data created_on',
  alerts: 'about told_at',
  archive_facts: 'name value',
  archive_secrets: 'is_here sealed changed_at',
  audit: 'id video_id',
  brand_lists_before: 'id list',
  callbacks: 'id video_id address awaits face tries due_at',
  deletions: 'video_id state_before erasing_at',
  film_visibility: 'video_id shown_to until',
  erasures: 'id applied_at',
  corrections: 'id video_id layer kind start_ms end_ms',
  index_removals: 'video_id times',
  ingest_steps: 'video_id step state attempts percent kept_percent started_at ended_at version failure_code lacks_engine reason',
  layers: 'video_id name made_by version made_at engines',
  migrations: 'name applied_at',
  film_meaning: 'video_id revision engine change',
  engines: 'name position step version licence source good_at models off_reason off_advice',
  models: 'name position bytes licence source good_at state fetched_bytes message removed_at',
  moments: 'video_id moment_count engines lines heard looked doubtful',
  original_checks: 'video_id begun_at checked_at fault',
  search_index: 'only_row batch state built_percent',
  sign_up_notices: 'one told_at',
  steps: 'name position version class optional',
  videos:
    'id state external_id recorded_at language origin content_hash size_bytes duration_seconds width height has_video has_audio streaming_preset failure_code failure_message processing_percent views created_at modified_at published_at revision indexed_revision poster_ms poster_version pictures_version',
  uploads: 'id video_id size_bytes ends became replaces',
  watched_files: 'id size_bytes modified_ms state became at beside',
  vocabulary: 'video_count changed_batch',
};

test('every column of the database is told on the privacy page, or tells nothing of anybody; none is both, and none is made up', async () => {
  const database = await createTestDatabase();
  const queue = await openJobQueue(database.pool, { onError: () => {} });
  await queue.stop();
  const tables = await listOurTables(database.pool);
  await database.drop();
  const known = tables.flatMap(({ schema, name, columns }) =>
    columns.map((column) => `${schema === 'public' ? '' : `${schema}.`}${name}.${column}`),
  );
  const told = keptAboutPeople.flatMap(({ columns }) => named(Object.entries(columns)));
  const untold = named(Object.entries(nothingPersonal).map(([table, columns]) => [table, columns.split(' ')]));
  expect([...told, ...untold].toSorted()).toEqual(known.toSorted());
});

function named(tables: readonly (readonly [string, readonly string[]])[]): string[] {
  return tables.flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
}
