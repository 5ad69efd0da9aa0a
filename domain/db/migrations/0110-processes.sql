-- The processes of this archive, on every machine: each says every few seconds that it lives, and how it stands. What is here means nothing
-- after a crash of the database, and no backup needs it.
create unlogged table processes (
  id uuid primary key,
  machine text not null,
  pid int not null,
  does text not null check (does in ('web', 'ingest')),
  version text not null,
  -- What it tells of itself, as `contract/status.ts` says.
  facts jsonb not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
