-- What the pieces of a long step came to, until the step has ended: one that was cut off goes on behind them.
create table step_pieces (
  video_id text not null references videos (id) on delete cascade,
  step text not null,
  piece text not null,
  result jsonb not null,
  primary key (video_id, step, piece)
);
