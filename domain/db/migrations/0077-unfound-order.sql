-- What found nothing goes before what was found and not opened; until now both were added up.
drop index unfound_queries_worst;
create index unfound_queries_worst on unfound_queries (found_nothing desc, opened_nothing desc, last_at desc, folded);
