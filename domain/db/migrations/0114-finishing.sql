-- What a call said that puts the file of an upload in the place of a film's, from before it touches that file until all of it is done: a start ends what was cut off.
alter table uploads add column finishing jsonb;
