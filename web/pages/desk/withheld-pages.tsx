import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { toDisplayName } from '#contract/display-name.ts';
import type { DeletedFilm, FilmKeptBack, FilmVisibility } from '#contract/films.ts';
import { can } from '#contract/roles.ts';
import { deletedFilms, eraseFilm, restoreFilm } from '#web/api/deletions.ts';
import { useSession } from '#web/api/session.ts';
import { keptBack, showFilmTo } from '#web/api/visibility.ts';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { nameCount } from '#web/components/text/count-wording.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';
import './films-table.css';

/** Films that not everybody sees: who does, until when and why, and the way to show them to everybody again. */
export function KeptBackPage() {
  const pages = useInfiniteQuery(keptBack);
  const films = pages.data?.pages.flatMap((page) => page.films) ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  return (
    <DeskFrame tab="keptBack">
      <div className="table-head">
        <h2>Restricted</h2>
        {pages.data && <span className="tag">{total.toLocaleString('en')}</span>}
      </div>
      <p className="desk-lead">
        Videos that are not visible to everyone. To change that, open a video and choose “Who can see” below its title; editors can find and
        watch them all.
      </p>
      <PagedTable
        name="Restricted videos"
        className="films-table"
        heads={['Video', 'Visibility', 'Set', <HiddenHead key="show">Show to everyone</HiddenHead>]}
        total={total}
        rows={films.map((film) => <KeptBackRow key={film.id} film={film} />)}
        pages={pages}
        wording={{
          loading: 'Loading restricted videos',
          failed: 'The restricted videos could not be loaded.',
          none: 'All videos are visible to everyone.',
          more: 'Show more videos',
        }}
      />
    </DeskFrame>
  );
}

function HiddenHead({ children }: { children: string }) {
  return <span className="sr-only">{children}</span>;
}

function KeptBackRow({ film }: { film: FilmKeptBack }) {
  const name = toDisplayName(film.name);
  const undoing = useMutation({
    mutationFn: (seen: FilmVisibility) => {
      const { shownTo, until, reason } = film;
      return showFilmTo(film.id, { shownTo, until, reason, seen });
    },
    onSuccess: () => showToast('Undone.'),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  const showing = useMutation({
    mutationFn: () => showFilmTo(film.id, { shownTo: 'everybody', until: null, reason: '', seen: film }),
    onSuccess: (shown) => showToast(`Visible to everyone: ${name}`, 'done', () => undoing.mutate(shown)),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  return (
    <tr ref={keepFocusNear}>
      <td>
        <Link className="link" to={paths.video(film.id)}>
          <bdi>{name}</bdi>
        </Link>
        {film.reason && <p className="films-table-reason">{film.reason}</p>}
      </td>
      <td className="films-table-words" data-label="Visibility">
        <VisibilityWords visibility={film} />
      </td>
      <td data-label="Set">
        {film.setAt && <LocalTime at={film.setAt} />} by {film.setBy || 'a deleted user'}
      </td>
      <td>
        <Button
          look="outline"
          size="small"
          busy={showing.isPending}
          aria-label={`Show to everyone: ${name}`}
          onClick={() => showing.mutate()}
        >
          Show to everyone
        </Button>
      </td>
    </tr>
  );
}

/** Films that are deleted: who did that and when, how long they can be brought back, and the way to do so. */
export function DeletedPage() {
  const pages = useInfiniteQuery(deletedFilms);
  const films = pages.data?.pages.flatMap((page) => page.films) ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  const session = useSession();
  const mayErase = session.state === 'signed-in' && can(session.user.roles, 'admin');
  return (
    <DeskFrame tab="deleted">
      <div className="table-head">
        <h2>Deleted</h2>
        {pages.data && <span className="tag">{total.toLocaleString('en')}</span>}
      </div>
      <p className="desk-lead">
        Nobody can find or play these videos. You can restore each one, with its corrections, until its time runs out. It is then erased
        with its original.
      </p>
      <PagedTable
        name="Deleted videos"
        className="films-table"
        heads={['Video', 'Deleted', 'Time left', <HiddenHead key="restore">Restore or erase</HiddenHead>]}
        total={total}
        rows={films.map((film) => <DeletedRow key={film.id} film={film} mayErase={mayErase} />)}
        pages={pages}
        wording={{
          loading: 'Loading deleted videos',
          failed: 'The deleted videos could not be loaded.',
          none: 'No deleted videos.',
          more: 'Show more videos',
        }}
      />
    </DeskFrame>
  );
}

function DeletedRow({ film, mayErase }: { film: DeletedFilm; mayErase: boolean }) {
  const [isErasing, setErasing] = useState(false);
  const name = toDisplayName(film.name);
  const restoring = useMutation({
    mutationFn: () => restoreFilm(film.id),
    onSuccess: () => showToast(`Restored: ${name}`),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  return (
    <tr ref={keepFocusNear}>
      <td>
        <bdi>{name}</bdi>
        {film.reason && <p className="films-table-reason">{film.reason}</p>}
      </td>
      <td data-label="Deleted">
        <LocalTime at={film.deletedAt} /> by {film.deletedBy || 'a deleted user'}
      </td>
      <td data-label="Time left">{nameCount(film.daysLeft, 'day')}</td>
      <td>
        <Button look="outline" size="small" busy={restoring.isPending} aria-label={`Restore: ${name}`} onClick={() => restoring.mutate()}>
          Restore
        </Button>
        {mayErase && (
          <Button look="outline" size="small" aria-label={`Erase now: ${name}`} onClick={() => setErasing(true)}>
            Erase now…
          </Button>
        )}
        {isErasing && <EraseFilm film={film} onClose={() => setErasing(false)} />}
      </td>
    </tr>
  );
}

/** There is no way back: the title has to be written out. */
function EraseFilm({ film: { id, name }, onClose }: { film: DeletedFilm; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const erasing = useMutation({
    mutationFn: () => eraseFilm({ id, name: typed }),
    onSuccess: () => {
      showToast(`Erased: ${toDisplayName(name)}`);
      onClose();
    },
  });
  return (
    <Confirm
      question="Erase this video for good?"
      action="Erase video"
      icon="trash-2"
      busy={erasing.isPending}
      onConfirm={() => erasing.mutate()}
      onCancel={onClose}
    >
      <p>
        Its original, everything made from it and all its corrections are deleted. This cannot be undone. Existing backups keep their
        copies. Type its title to continue: <bdi>{toDisplayName(name)}</bdi>
      </p>
      <TextField label="Title" value={typed} fault={erasing.error?.message} onChange={({ target }) => setTyped(target.value)} />
    </Confirm>
  );
}
