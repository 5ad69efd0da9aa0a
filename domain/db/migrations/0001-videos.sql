-- Videos, their moments, what ingest has done to them, and the words of the whole archive.
create table videos (
  id text primary key check (id ~ '^[0-9a-f]{10}$'),
  state text not null default 'Uploaded' check (state in ('Uploaded', 'Processing', 'Processed', 'Failed', 'Quarantined')),
  name text not null,
  external_id text,
  description text,
  owner text,
  recorded_at text,
  place text,
  language text not null default 'en',
  rights text,
  people text[] not null default '{}',
  labels text[] not null default '{}',
  brands text[] not null default '{}',
  -- file: footage with an original; catalogue: a record without media
  origin text not null check (origin in ('file', 'catalogue')),
  -- SHA-256 of the original, or of the catalogue record's own id: what makes a second import a repetition
  content_hash text not null unique check (content_hash ~ '^[0-9a-f]{64}$'),
  file_name text not null default '',
  size_bytes bigint not null default 0,
  duration_seconds double precision not null default 0,
  width int,
  height int,
  has_video boolean not null default false,
  has_audio boolean not null default false,
  streaming_preset text,
  failure_code text,
  failure_message text,
  processing_percent int not null default 0,
  views bigint not null default 0,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  published_at timestamptz,
  -- raised by every change that search must see; the index has caught up when indexed_revision equals it
  revision bigint not null default 0,
  indexed_revision bigint not null default -1
);
create index videos_newest on videos (created_at desc, id desc) where state = 'Processed';
create index videos_all_newest on videos (created_at desc, id desc);
create index videos_to_index on videos (id) where state = 'Processed' and indexed_revision <> revision;

-- One packed text row per video (format: domain/moments/packed-moments.ts): 12 of them are read in under a millisecond.
create table moments (
  video_id text primary key references videos on delete cascade,
  body text not null,
  moment_count int not null
);
-- Kept as it is: unpacking would cost more than the page cache does.
alter table moments alter column body set storage external;

create table ingest_steps (
  video_id text not null references videos on delete cascade,
  step text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'skipped', 'failed')),
  attempts int not null default 0,
  percent int not null default 0,
  message text,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (video_id, step)
);

-- Every folded word of the archive and the number of videos that hold it: prefix completion and spelling.
create table vocabulary (
  term text collate "C" primary key,
  video_count int not null
);
