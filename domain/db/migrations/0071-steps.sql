-- What the workers of this archive can do with a film, in order, as the worker that started last told it.
create table steps (
  name text primary key,
  position int not null,
  version int not null,
  class text not null check (class in ('playable', 'understood')),
  optional boolean not null
);

alter table ingest_steps
  -- Of the step, when it made the result that is there; 0 while there is none.
  add column version int not null default 0,
  -- What a film is called that failed at it, and what the tool said.
  add column failure_code text,
  add column details text;
update ingest_steps set version = 1 where state = 'done';
update ingest_steps set failure_code = result ->> 'code', result = null where state = 'failed';

-- What reads the captions is called after them. A film on its way has them read once more.
update ingest_steps s set step = 'captions' from videos v where v.id = s.video_id and v.state = 'Processed' and s.step = 'subtitles';
delete from ingest_steps where step = 'subtitles';
