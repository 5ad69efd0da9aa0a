-- The second that stands for a film where an editor chose one, once its picture is there; and how often the poster was another: its address changes with it.
alter table videos
  add column poster_ms int,
  add column poster_version int not null default 0;
-- The film whose file an upload takes the place of; null for one that becomes a film of its own.
alter table uploads add column replaces text references videos on delete cascade;
-- Films that are here already have no poster of an editor's.
insert into ingest_steps (video_id, step, state, message, ended_at)
select id, 'poster', 'skipped', 'The archive chose its poster.', now() from videos where origin = 'file' and state = 'Processed'
on conflict do nothing;
