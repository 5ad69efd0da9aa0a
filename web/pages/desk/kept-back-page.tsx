import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { FilmKeptBack } from '#contract/corrections.ts';
import { displayName } from '#contract/display-name.ts';
import { keptBack, showFilmTo } from '#web/api/visibility.ts';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';
import './films-table.css';

/** Films that not everybody sees: who does, until when and why, and the way to show them to everybody again. */
export function KeptBackPage() {
  const found = useQuery(keptBack);
  return (
    <DeskFrame tab="keptBack">
      <div className="table-head">
        <h2>Kept back</h2>
        {found.data && <span className="tag">{found.data.length.toLocaleString('en')}</span>}
      </div>
      <p className="desk-lead">
        Films that not everybody sees. Who sees a film is decided on its page, by the eye beside its title; editors find and watch them all.
      </p>
      {found.isPending && <Spinner label="Loading films that are kept back" />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data?.length === 0 && <p className="table-none">Everybody sees every film.</p>}
      {found.data && found.data.length > 0 && (
        <table className="table films-table" aria-label="Films that are kept back">
          <thead>
            <tr>
              <th scope="col">Film</th>
              <th scope="col">Who sees it</th>
              <th scope="col">Decided</th>
              <th scope="col">
                <span className="sr-only">Show to everybody</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.data.map((film) => (
              <KeptBackRow key={film.id} film={film} />
            ))}
          </tbody>
        </table>
      )}
    </DeskFrame>
  );
}

function KeptBackRow({ film }: { film: FilmKeptBack }) {
  const name = displayName(film.name);
  const showing = useMutation({
    mutationFn: () => showFilmTo(film.id, { shownTo: 'everybody', until: null, reason: '', seen: film }),
    onSuccess: () => showToast(`Everybody sees it now: ${name}`),
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
      <td className="films-table-words">
        <VisibilityWords visibility={film} />
      </td>
      <td>
        {film.setAt && <LocalTime at={film.setAt} />} by {film.setBy || 'somebody who is gone'}
      </td>
      <td>
        <Button
          look="outline"
          size="small"
          busy={showing.isPending}
          aria-label={`Show to everybody: ${name}`}
          onClick={() => showing.mutate()}
        >
          Show to everybody
        </Button>
      </td>
    </tr>
  );
}
