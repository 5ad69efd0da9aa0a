-- Films that an editor deleted. Nothing shows them (they are `Quarantined`), their files stay in their places, and without such a row
-- nothing of a film is ever erased.
create table deletions (
  video_id text primary key references videos on delete cascade,
  -- What the film was, and is again when it is brought back.
  state_before text not null check (state_before in ('Uploaded', 'Processing', 'Processed', 'Failed')),
  -- No reference: whoever deleted it may be gone before the film is.
  deleted_by text not null,
  deleted_at timestamptz not null default now(),
  reason text not null,
  -- From then on it cannot be brought back: its files are being erased, or were, and the row of the film goes last.
  erasing_at timestamptz
);
create index deletions_by_time on deletions (deleted_at);
