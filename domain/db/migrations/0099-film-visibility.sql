-- Films that not everybody sees whom the archive lets in. A film without such a row is shown to all; one whose time has come as well.
create table film_visibility (
  video_id text primary key references videos on delete cascade,
  -- Who sees it still: whoever may watch, or those alone who work in the archive.
  shown_to text not null check (shown_to in ('viewers', 'editors')),
  -- From when on everybody sees it; null until somebody says so.
  until timestamptz,
  reason text not null,
  -- No reference: whoever said so may be gone before the film is.
  set_by text not null,
  set_at timestamptz not null default now()
);
