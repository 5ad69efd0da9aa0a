-- Files of the watched folder, as they were when they were looked into: one that has not changed since is not read again.
create table watched_files (
  -- SHA-256 of its path: paths are longer than what an index holds, and of a film that was deleted no name is left here.
  id text primary key,
  size_bytes bigint not null,
  -- Milliseconds as the file system says them; some say years that no date of the database can hold.
  modified_ms double precision not null,
  state text not null check (state in ('taken', 'known', 'refused', 'waiting')),
  -- Of one that is refused or waits: what it is called, and why; a sentence.
  file_name text,
  message text,
  -- The film that it became, or that held the same before.
  became text,
  at timestamptz not null default now(),
  check ((state in ('refused', 'waiting')) = (file_name is not null and message is not null)),
  check ((state in ('taken', 'known')) = (became is not null))
);
create index watched_files_left_out on watched_files (at desc) where state in ('refused', 'waiting');
