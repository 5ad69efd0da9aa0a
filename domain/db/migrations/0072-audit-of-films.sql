-- The audit tells of films too: what was changed is a person or a film, never both.
alter table audit
  alter column subject_uid drop not null,
  alter column subject_name drop not null,
  alter column subject_email drop not null,
  add column video_id text,
  add column video_name text,
  add constraint audit_of_one check ((subject_uid is null) <> (video_id is null));
