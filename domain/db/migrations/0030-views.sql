-- Who has opened which player lately; rows go after six hours, so that a view counts once in that time.
create table recent_views (
  video_id text not null references videos on delete cascade,
  sid text not null,
  viewed_at timestamptz not null default now(),
  primary key (video_id, sid)
);
create index recent_views_over on recent_views (viewed_at);
