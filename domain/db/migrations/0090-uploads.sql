-- Files on their way in from a browser. How much of one has come is told by its file in the folder `uploads`, and by nothing else.
create table uploads (
  id text primary key,
  user_id text not null references users on delete cascade,
  -- What it becomes, chosen first: finishing may be cut off anywhere, and begun again.
  video_id text not null,
  file_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- SHA-256 of its beginning and end: whether a file that is chosen again is the same one.
  ends text not null,
  created_at timestamptz not null default now(),
  -- When something of it came last.
  touched_at timestamptz not null default now(),
  -- When it was added; the film that it became, or that held the same before. It stays for whoever did not hear the answer.
  finished_at timestamptz,
  became text
);
create index uploads_of_user on uploads (user_id, created_at);
create index uploads_by_touch on uploads (touched_at);
