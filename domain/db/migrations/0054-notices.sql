-- When the administrators were last told of sign-ups by e-mail. Whoever tells them holds the one row meanwhile.
create table sign_up_notices (
  one boolean primary key default true check (one),
  told_at timestamptz not null default '-infinity'
);
insert into sign_up_notices default values;

create index users_untold_of on users (created_at) where admins_told_at is null;
create index users_untold on users (activated_at) where activation_told_at is null;
