-- Which of what is known of a film as a whole a correction is about, where it is not its title.
alter table corrections add column fact text;
