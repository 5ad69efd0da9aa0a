-- Queries that visitors were not served well by. Nothing here tells who asked.
create table unfound_queries (
  -- The query in small letters, without accents and needless blanks: what is the same to a search is counted together.
  folded text primary key check (octet_length(folded) between 1 and 2000),
  -- As it was typed last.
  text text not null,
  found_nothing bigint not null check (found_nothing >= 0),
  -- Searches that found something, less those of whose answer something was opened.
  opened_nothing bigint not null check (opened_nothing >= 0),
  last_at timestamptz not null
);
create index unfound_queries_worst on unfound_queries ((found_nothing + opened_nothing) desc, last_at desc, folded);
