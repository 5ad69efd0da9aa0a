-- The appearances of a face that a name was given to, by their times and places, and whether they were all that was found of it. Null for names of before:
-- they are about the group that was seen at `start_ms` in `place`.
alter table corrections add column appearances jsonb;
