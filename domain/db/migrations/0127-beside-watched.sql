-- What lay beside a file of the watched folder under its name, as it was then: a hash, for names tell of films. Null until the next look at one of before.
alter table watched_files add column beside text;
