-- What somebody was told of by mail or webhook, and when: the same thing once a day.
create table alerts (
  about text primary key,
  told_at timestamptz not null default now()
);
