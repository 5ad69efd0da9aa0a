-- Recognising people across films is off until an administrator, told that it takes biometric data, turned it on: then there is one row.
-- No backup holds these two tables: a restored archive recognises nobody until it is turned on there.
create table recognition (
  only_row boolean primary key default true check (only_row),
  turned_on_by text not null,
  turned_on_at timestamptz not null default now()
);

-- Of each face that somebody named, what tells it from others. Gone with the name, and all of it once recognising is turned off.
create table known_faces (
  video_id text not null references videos on delete cascade,
  mark text not null,
  -- Numbers of different engines tell nothing of each other.
  engine text not null,
  -- Of length 1 as a whole.
  numbers real[] not null,
  primary key (video_id, mark)
);
