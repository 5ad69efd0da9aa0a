-- Which films wait for something or somebody: the desk asks every few seconds, and nearly all steps of a large archive are done.
create index ingest_steps_undone on ingest_steps (video_id, state) where state in ('failed', 'running', 'waiting');
