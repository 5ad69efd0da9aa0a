-- Of bytes that are stored as they are PostgreSQL reads a stretch without the rest of the row; characters it has to count from the beginning.
-- In one statement, so that the rows are written once, and not compressed.
alter table moments
  alter column body type bytea using convert_to(body, 'UTF8'),
  alter column body set storage external;
