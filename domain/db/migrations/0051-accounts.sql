-- A name that somebody chose here stays when their provider says another.
alter table users add column chose_name boolean not null default false;

-- At Microsoft a person is told apart by tenant and subject; until now everybody was of the tenant of personal accounts.
update accounts set account_id = '9188040d-6c67-4c5b-b112-36a304b66dad/' || account_id where provider_id = 'microsoft' and account_id not like '%/%';
