-- Who was forgotten, so that no later look at a film, no import and no restore brings them back: when and where they were seen, and no name.
create table erasures (
  id uuid primary key,
  -- Null for a name that is forgotten in every film. No reference: an erasure outlives its film, which a restore may bring back.
  video_id text,
  -- The name as a salted hash (domain/moments/name-mark.ts); null for somebody whom nobody had named.
  name_mark jsonb,
  -- From when to when they were seen, and where in the picture.
  tracks jsonb not null,
  made_by text not null,
  made_at timestamptz not null,
  -- When all that it is about had gone from this database; null while that is still to be done, as after a restore.
  applied_at timestamptz
);
create index erasures_of_video on erasures (video_id);

-- What is never changed gives way to one thing: a person who is forgotten. Such a transaction says so by `rushes.forgets`.
create function is_forgetting() returns boolean language sql stable
  return coalesce(current_setting('rushes.forgets', true), '') = 'on';

create or replace function corrections_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- They go with their video, and with whom they name.
    if not is_forgetting() and exists (select from videos where id = old.video_id) then
      raise exception 'a correction is taken back, never deleted' using errcode = '42501';
    end if;
    return old;
  end if;
  if is_forgetting() and new.replaces = '' and (to_jsonb(new) - 'replaces') = (to_jsonb(old) - 'replaces') then
    return new;
  end if;
  if old.undone_at is not null
     or (to_jsonb(new) - 'undone_by' - 'undone_at') is distinct from (to_jsonb(old) - 'undone_by' - 'undone_at') then
    raise exception 'a correction is never changed' using errcode = '42501';
  end if;
  return new;
end $$;

-- Of the audit nothing goes but the words that name them.
drop trigger audit_kept on audit;
create trigger audit_kept before delete or truncate on audit for each statement execute function audit_is_kept();
create function audit_texts_are_kept() returns trigger language plpgsql as $$
begin
  if is_forgetting() and old.video_id is not null
     and (to_jsonb(new) - 'detail' - 'video_name') = (to_jsonb(old) - 'detail' - 'video_name')
     and new.detail in ('', old.detail) and new.video_name in ('', old.video_name) then
    return new;
  end if;
  raise exception 'the audit is never changed' using errcode = '42501';
end $$;
create trigger audit_texts_kept before update on audit for each row execute function audit_texts_are_kept();
