-- How much of a running step was done when it was begun before: the rest is not as fast as that.
alter table ingest_steps add column kept_percent smallint not null default 0;
