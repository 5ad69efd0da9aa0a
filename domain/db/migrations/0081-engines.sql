-- What recognises something in films, as the worker that started last has it; a film may be read again with what came later.
create table engines (
  name text primary key,
  position int not null,
  step text not null,
  version text not null,
  -- Null where it is not stated.
  licence text,
  source text not null,
  good_at text not null,
  models text[] not null,
  -- Why it is not used, and what an administrator does about it; null for one that is used.
  off_reason text,
  off_advice text,
  check ((off_reason is null) = (off_advice is null))
);

-- Model files that an administrator may have fetched.
create table models (
  name text primary key,
  position int not null,
  bytes bigint not null,
  licence text not null,
  source text not null,
  good_at text not null,
  state text not null check (state in ('absent', 'asked', 'fetching', 'here', 'failed')),
  fetched_bytes bigint not null default 0,
  -- Why it could not be fetched.
  message text
);

-- Whether a step was skipped because nothing was there to do it with.
alter table ingest_steps add column lacks_engine boolean not null default false;
