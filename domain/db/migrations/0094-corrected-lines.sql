-- Lines that were split, joined, moved, added or given to another speaker: `was` says how they stood, `are` how they stand instead. Null where
-- one line got another text and nothing else, or was confirmed as it is.
alter table corrections add column lines jsonb;

-- The audit says what was there before: `detail` what is there now.
alter table audit add column before text not null default '';

-- A person who is forgotten goes from these, too.
create or replace function audit_texts_are_kept() returns trigger language plpgsql as $$
begin
  if is_forgetting() and old.video_id is not null
     and (to_jsonb(new) - 'before' - 'detail' - 'video_name') = (to_jsonb(old) - 'before' - 'detail' - 'video_name')
     and new.before in ('', old.before) and new.detail in ('', old.detail) and new.video_name in ('', old.video_name) then
    return new;
  end if;
  raise exception 'the audit is never changed' using errcode = '42501';
end $$;
create or replace function corrections_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- They go with their video, and with whom they name.
    if not is_forgetting() and exists (select from videos where id = old.video_id) then
      raise exception 'a correction is taken back, never deleted' using errcode = '42501';
    end if;
    return old;
  end if;
  if is_forgetting() and new.replaces in ('', old.replaces)
     and (to_jsonb(new) - 'replaces' - 'lines') = (to_jsonb(old) - 'replaces' - 'lines') then
    return new;
  end if;
  if old.undone_at is not null
     or (to_jsonb(new) - 'undone_by' - 'undone_at') is distinct from (to_jsonb(old) - 'undone_by' - 'undone_at') then
    raise exception 'a correction is never changed' using errcode = '42501';
  end if;
  return new;
end $$;
