-- What the search index has taken in, and what must leave it.
alter table vocabulary add column changed_batch bigint not null default 0;
create index vocabulary_changed on vocabulary (changed_batch);

-- Number of the last batch whose rows, words and revisions all count.
create table search_index (
  only_row boolean primary key default true check (only_row),
  batch bigint not null default 0
);
insert into search_index default values;

-- Videos that were deleted, or are public no more, and may still stand in the index.
create table index_removals (
  video_id text primary key
);

create function note_index_removal() returns trigger language plpgsql as $$
begin
  insert into index_removals (video_id) values (old.id) on conflict do nothing;
  perform pg_notify('videos_to_index', old.id);
  return null;
end $$;

create trigger video_deleted after delete on videos
  for each row when (old.state = 'Processed') execute function note_index_removal();
create trigger video_withdrawn after update of state on videos
  for each row when (old.state = 'Processed' and new.state <> 'Processed') execute function note_index_removal();

-- The newest publication is where the pages of a list agree to stop.
create index videos_published on videos (published_at) where state = 'Processed';
