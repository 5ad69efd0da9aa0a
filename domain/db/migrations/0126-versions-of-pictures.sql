-- How often the stills and frames of a film were drawn: their addresses change with it, since browsers keep pictures for a week.
alter table videos add column pictures_version int not null default 0;
