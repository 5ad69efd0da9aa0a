-- What a finished step found out, for the steps after it and for a worker that takes over.
alter table ingest_steps add column result jsonb;
-- Uploaded and Processing videos whose worker may have died for good.
create index videos_in_work on videos (modified_at) where state in ('Uploaded', 'Processing');
