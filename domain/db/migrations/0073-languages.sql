-- Which languages the films have, and how many films there are, is read after every change of the index: without a look at the rows.
create index videos_by_language on videos (language) where state = 'Processed';
