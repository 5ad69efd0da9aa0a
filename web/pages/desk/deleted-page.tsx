import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeletedFilm } from '#contract/corrections.ts';
import { displayName } from '#contract/display-name.ts';
import { limits } from '#contract/limits.ts';
import { can } from '#contract/roles.ts';
import { deletedFilms, eraseFilm, restoreFilm } from '#web/api/deletions.ts';
import { useSession } from '#web/api/session.ts';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';
import './films-table.css';

/** Films that are deleted: who did that and when, how long they can be brought back, and the way to do so. */
export function DeletedPage() {
  const found = useQuery(deletedFilms);
  const session = useSession();
  const mayErase = session.state === 'signed-in' && can(session.user.roles, 'admin');
  return (
    <DeskFrame tab="deleted">
      <div className="table-head">
        <h2>Deleted</h2>
        {found.data && <span className="tag">{found.data.length.toLocaleString('en')}</span>}
      </div>
      <p className="desk-lead">
        Nobody finds or plays these films. For {limits.deletedKeptDays} days each comes back as it was, with all that was corrected; then it
        is erased with its original.
      </p>
      {found.isPending && <Spinner label="Loading deleted films" />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data?.length === 0 && <p className="table-none">No film is deleted.</p>}
      {found.data && found.data.length > 0 && (
        <table className="table films-table" aria-label="Deleted films">
          <thead>
            <tr>
              <th scope="col">Film</th>
              <th scope="col">Deleted</th>
              <th scope="col">Time left</th>
              <th scope="col">
                <span className="sr-only">Bring back or erase</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.data.map((film) => (
              <DeletedRow key={film.id} film={film} mayErase={mayErase} />
            ))}
          </tbody>
        </table>
      )}
    </DeskFrame>
  );
}

function DeletedRow({ film, mayErase }: { film: DeletedFilm; mayErase: boolean }) {
  const [isErasing, setErasing] = useState(false);
  const name = displayName(film.name);
  const restoring = useMutation({
    mutationFn: () => restoreFilm(film.id),
    onSuccess: () => showToast(`Brought back: ${name}`),
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  return (
    <tr ref={keepFocusNear}>
      <td>
        <bdi>{name}</bdi>
        {film.reason && <p className="films-table-reason">{film.reason}</p>}
      </td>
      <td>
        <LocalTime at={film.deletedAt} /> by {film.deletedBy || 'somebody who is gone'}
      </td>
      <td>{film.daysLeft === 1 ? '1 day' : `${film.daysLeft} days`}</td>
      <td>
        <Button
          look="outline"
          size="small"
          busy={restoring.isPending}
          aria-label={`Bring back: ${name}`}
          onClick={() => restoring.mutate()}
        >
          Bring back
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
      showToast(`Erased: ${displayName(name)}`);
      onClose();
    },
  });
  return (
    <Confirm
      question="Erase this film for good?"
      action="Erase film"
      icon="trash-2"
      busy={erasing.isPending}
      onConfirm={() => erasing.mutate()}
      onCancel={onClose}
    >
      <p>
        Its original, all that was made of it and all that was corrected are gone then, and nobody can bring them back. Backups keep what
        they hold. Write its title to go on: <bdi>{displayName(name)}</bdi>
      </p>
      <TextField label="Title" value={typed} fault={erasing.error?.message} onChange={({ target }) => setTyped(target.value)} />
    </Confirm>
  );
}
