-- People, the accounts by which they sign in, their sessions and their one-time links.
create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  name text not null,
  -- Written by the sign-in library; pictures are drawn by this server from the e-mail, so nothing reads it.
  image text,
  roles jsonb not null default '{}' check (jsonb_typeof(roles) = 'object'),
  -- Raised by every change of roles: tokens made before it are worth nothing.
  auth_version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Whoever changes the roles, the version follows, and every server process hears of it.
create function users_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('users_changed', old.id);
    return old;
  end if;
  if new.roles is distinct from old.roles then
    new.auth_version := old.auth_version + 1;
    perform pg_notify('users_changed', new.id);
  end if;
  return new;
end $$;
create trigger users_roles_changed before update of roles on users for each row execute function users_changed();
create trigger users_removed before delete on users for each row execute function users_changed();

-- One row per provider and the provider's own name for the person; the provider's tokens are not kept.
create table accounts (
  id text primary key,
  user_id text not null references users on delete cascade,
  provider_id text not null,
  account_id text not null,
  access_token text check (access_token is null),
  refresh_token text check (refresh_token is null),
  id_token text check (id_token is null),
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text check (password is null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_of_user on accounts (user_id);

-- Sign-ins under way at a provider.
create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);
create index verifications_over on verifications (expires_at);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  -- SHA-256 of the cookie's secret: the table alone signs nobody in.
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index sessions_of_user on sessions (user_id);

-- A session lives 24 hours unused and 14 days in all; an administrator's 12 hours and 7 days.
create view live_sessions as
  select s.id, s.user_id, s.token_hash, s.last_seen_at, u.email, u.name, u.roles, u.auth_version
    from sessions s
    join users u on u.id = s.user_id
   where s.last_seen_at > now() - case when u.roles -> 'admin' = 'true' then interval '12 hours' else interval '24 hours' end
     and s.created_at > now() - case when u.roles -> 'admin' = 'true' then interval '7 days' else interval '14 days' end;

create table sign_in_links (
  -- SHA-256 of the link's secret
  token_hash text primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_of_user on sign_in_links (user_id);
