-- The secrets of the archive, sealed by a key that is not in the database (domain/tokens/sealed-secrets.ts); no row while they lie in a file,
-- and null once they were taken out.
create table archive_secrets (
  is_here boolean primary key default true check (is_here),
  sealed text,
  changed_at timestamptz not null default now()
);
