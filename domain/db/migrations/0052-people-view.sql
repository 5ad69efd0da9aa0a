-- Whether these roles let somebody watch; `can` of the contract says the same of one person.
create function is_active(roles jsonb) returns boolean language sql immutable
  return roles @> '{"viewer": true}' or roles @> '{"editor": true}' or roles @> '{"admin": true}';

-- The users collection as administrators see it. Whoever has no account at a provider can only have come by a link in an e-mail.
create view people as
  select u.id as uid, coalesce(u.email, '') as email, u.email_verified, u.name, u.roles, u.auth_version, u.created_at, u.activated_at, u.note,
         is_active(u.roles) as is_active,
         (select array_agg(way order by way)
            from (select a.provider_id as way from accounts a
                   where a.user_id = u.id and a.provider_id in ('google', 'microsoft', 'facebook', 'twitter', 'email')
                  union
                  select 'email' where not exists (select from accounts a where a.user_id = u.id)
                                    or exists (select from sessions s where s.user_id = u.id and s.signed_in_by = 'email')) ways) as sign_in_ways
    from users u;
