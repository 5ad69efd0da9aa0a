-- What each step found of a video, kept apart: `moments` and the names of `videos` are what these come to, with the corrections.
create table layers (
  video_id text not null references videos on delete cascade,
  name text not null,
  -- The step or import that replaces it whole: two of them may find the same kind of thing.
  made_by text not null,
  -- Of that step, when it made it.
  version int not null,
  made_at timestamptz not null default now(),
  -- Packed as in `moments`.
  body text not null default '',
  word_starts text,
  engines text[],
  -- What is true of the film as a whole, in the form that its name says (domain/moments/layers.ts).
  facts jsonb,
  primary key (video_id, name, made_by)
);

-- Kept as it is, like the row: to compress it would take three times as long as all else of an import.
alter table layers alter column body set storage external;

-- What people changed: added, and taken back by a note of it; never changed otherwise.
create table corrections (
  id bigint generated always as identity primary key,
  video_id text not null references videos on delete cascade,
  layer text not null,
  kind text not null,
  -- Where it stood, in milliseconds; null for what is true of the film as a whole.
  start_ms int,
  end_ms int,
  -- The text that it said there.
  replaces text not null,
  -- What it says instead; null where somebody confirmed it as it is.
  says text,
  made_by text not null,
  made_at timestamptz not null default now(),
  undone_by text,
  undone_at timestamptz,
  check ((start_ms is null) = (end_ms is null)),
  check ((undone_by is null) = (undone_at is null))
);
create index corrections_of_video on corrections (video_id, id);

create function corrections_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- They go with their video, and in no other way.
    if exists (select from videos where id = old.video_id) then
      raise exception 'a correction is taken back, never deleted' using errcode = '42501';
    end if;
    return old;
  end if;
  if old.undone_at is not null
     or (to_jsonb(new) - 'undone_by' - 'undone_at') is distinct from (to_jsonb(old) - 'undone_by' - 'undone_at') then
    raise exception 'a correction is never changed' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger corrections_kept before update or delete on corrections for each row execute function corrections_are_kept();

-- Names of what found the moments of the row, where that is known: a moment names one by its number, from 1.
alter table moments add column engines text[];
