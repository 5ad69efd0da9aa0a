-- A provider that the operator names is a way to sign in too.
create or replace view people as
  select u.id as uid, coalesce(u.email, '') as email, u.email_verified, u.name, u.roles, u.auth_version, u.created_at, u.activated_at, u.note,
         is_active(u.roles) as is_active,
         coalesce((select array_agg(distinct a.provider_id) from accounts a
                    where a.user_id = u.id and a.provider_id in ('oidc', 'google', 'microsoft', 'facebook', 'twitter', 'email')),
                  '{email}') as sign_in_ways
    from users u;
