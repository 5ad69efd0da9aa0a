-- Which tables in which versions make up the index: committed with the words and revisions that it counts.
-- Null: the index has to be built.
alter table search_index add column state jsonb;

-- A video may leave the archive again while the index takes in that it left before: what was noted since must stay noted.
alter table index_removals add column times bigint not null default 1;

create or replace function note_index_removal() returns trigger language plpgsql as $$
begin
  insert into index_removals (video_id) values (old.id)
    on conflict (video_id) do update set times = index_removals.times + 1;
  perform pg_notify('videos_to_index', old.id);
  return null;
end $$;
