-- What films say, as vectors of the meaning of sentences: of the title and of each
-- passage a bit for each number of its vector, which tells its sign.
create table film_meaning (
  video_id text primary key references videos on delete cascade,
  -- Of the video as it was when these were made or found to be still true; passages are those of its lines at that revision.
  revision bigint not null,
  -- Of the title and the spoken lines.
  checksum text not null,
  engine text not null,
  signs bytea not null,
  -- Rises with every change, in the order in which changes are committed: whoever keeps the signs in memory asks for what came since.
  change bigint not null
);
-- Read whole, and no shorter when compressed.
alter table film_meaning alter column signs set storage external;
create index film_meaning_changes on film_meaning (change);
create sequence film_meaning_changes_made;
