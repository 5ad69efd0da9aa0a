-- Erasing a film and forgetting somebody in it look for what was written down of it. Most rows are of people.
create index audit_of_video on audit (video_id) where video_id is not null;
