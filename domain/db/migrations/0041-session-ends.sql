-- A session that ends is heard by every server process too: what they remember about its user is forgotten.
create function session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('users_changed', old.user_id);
  return null;
end $$;
create trigger sessions_ended after delete on sessions for each row execute function session_ended();
