-- Corrections that were made with one press, and are taken back with one.
alter table corrections add column batch uuid;
create index corrections_of_batch on corrections (batch) where batch is not null;
