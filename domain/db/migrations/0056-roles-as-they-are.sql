-- Roles are three switches and nothing else: what was written by hand otherwise would break the list of everybody.
alter table users add constraint users_roles_are_switches check (
  roles - array['viewer', 'editor', 'admin'] = '{}'
  and coalesce(jsonb_typeof(roles -> 'viewer'), 'boolean') = 'boolean'
  and coalesce(jsonb_typeof(roles -> 'editor'), 'boolean') = 'boolean'
  and coalesce(jsonb_typeof(roles -> 'admin'), 'boolean') = 'boolean'
);

-- A session that ran out by an administrator's rules does not live again by a viewer's. The view still sees the roles of before.
create function end_sessions_that_ran_out() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = old.id and id not in (select id from live_sessions where user_id = old.id);
  return new;
end $$;
create trigger users_sessions_that_ran_out before update of roles on users
  for each row when (new.roles is distinct from old.roles) execute function end_sessions_that_ran_out();
