-- People take along what the audit holds about them.
create index audit_of_subject on audit (subject_uid, id);
