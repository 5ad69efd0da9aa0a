-- When each word begins, where a source tells: a line per line of the packed row, null where no line has them.
alter table moments add column word_starts text;
