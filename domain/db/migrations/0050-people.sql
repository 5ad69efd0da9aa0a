-- Signing up, waiting, being activated, and what administrators do about it.

-- A provider may give no address, and one that nobody proved may be claimed by several: only proved addresses are one person's alone.
alter table users alter column email drop not null;
alter table users drop constraint users_email_key;
create unique index users_by_proved_email on users (email) where email_verified;
create index users_by_email on users (email);

alter table users
  -- What somebody who waits tells the administrators about themselves.
  add column note text not null default '',
  -- When they were first given a role; when the administrators heard of the sign-up and the person of the activation, by mail.
  add column activated_at timestamptz,
  add column admins_told_at timestamptz,
  add column activation_told_at timestamptz;
update users set activated_at = updated_at, activation_told_at = updated_at where roles @> '{"viewer": true}' or roles @> '{"editor": true}' or roles @> '{"admin": true}';
create index users_by_sign_up on users (created_at, id);

-- A sign-up is heard as well, so that an administrator's desk shows it.
create or replace function users_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from sign_in_links where email = old.email and old.email_verified;
    perform pg_notify('users_changed', old.id);
    return old;
  end if;
  if tg_op = 'INSERT' then
    perform pg_notify('users_changed', new.id);
    return new;
  end if;
  if new.roles is distinct from old.roles then
    new.auth_version := old.auth_version + 1;
    if new.activated_at is null and (new.roles @> '{"viewer": true}' or new.roles @> '{"editor": true}' or new.roles @> '{"admin": true}') then
      new.activated_at := now();
    end if;
    perform pg_notify('users_changed', new.id);
  end if;
  return new;
end $$;
create trigger users_added after insert on users for each row execute function users_changed();

-- How and in which browser a session began: for the page on which people look after their own.
alter table sessions
  add column user_agent text not null default '',
  add column signed_in_by text not null default '';

-- A link belongs to an address: whoever proves it may be new. What was there before runs out within minutes anyway.
drop table sign_in_links;
create table sign_in_links (
  -- SHA-256 of the link's secret
  token_hash text primary key,
  email text not null,
  -- The name that was entered with it; counts for people who are new only.
  name text not null default '',
  -- Network that asked for it; empty for the operator's command line.
  network text not null default '',
  -- How often somebody came with another address.
  wrong_addresses int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_of_email on sign_in_links (email, created_at);
create index sign_in_links_of_network on sign_in_links (network, created_at);
create index sign_in_links_by_age on sign_in_links (created_at);

-- Who did what to whom, when and from where. Rows are added and read, never changed; people are named as they were then.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  actor_uid text,
  actor_name text,
  actor_email text,
  subject_uid text not null,
  subject_name text not null,
  subject_email text not null,
  detail text not null default '',
  came_from text not null default ''
);
create function audit_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the audit is never changed' using errcode = '42501';
end $$;
create trigger audit_kept before update or delete or truncate on audit for each statement execute function audit_is_kept();
