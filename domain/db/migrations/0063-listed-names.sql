-- Names of videos as lists look for them: in small letters, each once.
create function folded_names(names text[]) returns text[] language sql immutable parallel safe
  return array(select distinct lower(n) from unnest(names) n);

-- Rare: a video that names the same person, label or brand more than once. All others are counted without a second look.
alter table videos add column names_twice boolean not null generated always as (
  cardinality(folded_names(people)) + cardinality(folded_names(labels)) + cardinality(folded_names(brands))
    < cardinality(people) + cardinality(labels) + cardinality(brands)) stored;

create index videos_people on videos using gin (folded_names(people));
create index videos_labels on videos using gin (folded_names(labels));
create index videos_brands on videos using gin (folded_names(brands));
create index videos_owners on videos (lower(owner)) where owner is not null;
create index videos_external_ids on videos (external_id) where external_id is not null;
analyze videos;
