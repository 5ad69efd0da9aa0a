-- Keys by which scripts of editors come in. A key has one session, which ends with it.
create table keys (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  -- SHA-256 of the key: the table alone lets nobody in.
  secret_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index keys_of_user on keys (user_id);

alter table sessions add column key_id text unique references keys on delete cascade;

-- As before, and the session of a key no longer than the key.
create or replace view live_sessions as
  select s.id, s.user_id, s.token_hash, s.last_seen_at, u.email, u.name, u.roles, u.auth_version
    from sessions s
    join users u on u.id = s.user_id
    left join keys k on k.id = s.key_id
   where s.last_seen_at > now() - case when u.roles -> 'admin' = 'true' then interval '12 hours' else interval '24 hours' end
     and s.created_at > now() - case when u.roles -> 'admin' = 'true' then interval '7 days' else interval '14 days' end
     and (k.id is null or k.expires_at > now());
