-- What the list of brands was before each change, by whom and when it was changed, so that it comes back with one press; of the last changes. The list itself stays
-- where it is (archive_facts).
create table brand_lists_before (
  id bigint generated always as identity primary key,
  list text not null,
  changed_by text not null,
  changed_at timestamptz not null default now()
);
