-- How far the index is that is being built, of 100: whoever searches meanwhile is told. Null while none is.
alter table search_index add column built_percent smallint;
