/** The queue of footage that waits to be ingested; a job names its video. */
export const ingestQueue = 'ingest-video';

/** The queue of footage that can be watched and waits to be understood better; its jobs give way to those of the other. */
export const understandQueue = 'understand-video';
