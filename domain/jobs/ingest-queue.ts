/** The queue of footage that waits to be ingested; a job names its video. */
export const ingestQueue = 'ingest-video';
