-- How many lines are said in a film, by a machine, looked at by somebody, and doubtful: editors look for films by that. What writes the row counts
-- (domain/moments/line-counts.ts); here it is counted once by the letters that lines begin with.
alter table moments
  add column lines int not null default 0,
  add column heard int not null default 0,
  add column looked int not null default 0,
  add column doubtful int not null default 0;
update moments
   set lines = regexp_count(body, '^T', 1, 'n'), heard = regexp_count(body, '^Tm', 1, 'n'), looked = regexp_count(body, '^T.[xv]', 1, 'n'),
       doubtful = regexp_count(body, '^Tm(r|[0-9]*\t[0-9]+\t[0-9]+\t[0-6]?[0-9]\t)', 1, 'n')
 where body ~ '(^|\n)T';
