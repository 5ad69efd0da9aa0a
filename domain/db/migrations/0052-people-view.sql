-- Whether these roles let somebody watch; `can` of the contract says the same of one person.
create function is_active(roles jsonb) returns boolean language sql immutable
  return roles @> '{"viewer": true}' or roles @> '{"editor": true}' or roles @> '{"admin": true}';

-- The users collection as administrators see it. Whoever has no account yet can only come by a link in an e-mail.
create view people as
  select u.id as uid, coalesce(u.email, '') as email, u.email_verified, u.name, u.roles, u.auth_version, u.created_at, u.activated_at, u.note,
         is_active(u.roles) as is_active,
         coalesce((select array_agg(distinct a.provider_id) from accounts a
                    where a.user_id = u.id and a.provider_id in ('google', 'microsoft', 'facebook', 'twitter', 'email')),
                  '{email}') as sign_in_ways
    from users u;
