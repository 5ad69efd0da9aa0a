-- What the archive remembers of itself.
create table archive_facts (
  name text primary key,
  value text not null
);
