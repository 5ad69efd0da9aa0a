-- When an original was read anew and compared with the hash that it came with, and what was wrong with it.
create table original_checks (
  video_id text primary key references videos (id) on delete cascade,
  begun_at timestamptz not null default now(),
  checked_at timestamptz,
  fault text check (fault in ('missing', 'changed'))
);
