-- Whom a script wants told of a film: rows wait until what they await has come, and go when the other server has taken the call, or was tried
-- for long enough.
create table callbacks (
  id bigint generated always as identity primary key,
  video_id text not null references videos on delete cascade,
  address text not null,
  awaits text not null check (awaits in ('playable', 'understood', 'nothing')),
  -- The face that was named, where that is what is told.
  face text,
  tries int not null default 0,
  due_at timestamptz not null default now()
);
create index callbacks_due on callbacks (due_at);
