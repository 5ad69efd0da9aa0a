-- When an administrator had it removed; null for one that nobody had removed, and for one that was asked for since. Only what was removed is
-- deleted from machines: a file that was put in place by hand stays.
alter table models add column removed_at timestamptz;
