-- Films that are here already were made in all their sizes at once.
insert into ingest_steps (video_id, step, state, message, ended_at)
select id, 'larger-renditions', 'skipped', 'The video has all its sizes already.', now() from videos where origin = 'file' and state = 'Processed'
on conflict do nothing;
