import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { toDisplayName } from '#contract/display-name.ts';
import type { CaptionState, FilmOnDesk } from '#contract/films.ts';
import { filmsOnDesk } from '#web/api/films.ts';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { TableSearch } from '#web/components/table/table-search.tsx';
import { nameCount } from '#web/components/text/count-wording.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { formatWholeMinutes } from '#web/components/text/whole-minutes.ts';
import { paths } from '#web/paths.ts';
import { buttonClassFor } from '#web/ui/button.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';
import './films-table.css';
import './films.css';

const ChangeFilms = makeLazyPart(() => import('./change-films.tsx').then((part) => part.ChangeFilms));

const states: ReadonlyArray<{ state: CaptionState; label: string }> = [
  { state: 'doubtful', label: 'Doubtful lines' },
  { state: 'unchecked', label: 'Unchecked' },
  { state: 'started', label: 'Partly checked' },
  { state: 'verified', label: 'Verified' },
  { state: 'given', label: 'Supplied with the video' },
  { state: 'none', label: 'No speech' },
];

/** The films of the archive as editors choose them: by how it stands with what is said, and by a text; several are changed at once. */
export function FilmsPage() {
  const { captions, text, look, choose } = useAsked();
  const pages = useInfiniteQuery(filmsOnDesk({ captions, text }));
  const [chosen, setChosen] = useState<ReadonlyMap<string, FilmOnDesk>>(new Map());
  // One that came meanwhile moves all others on by one: the last of a page is the first of the next.
  const shown = new Map(pages.data?.pages.flatMap((page) => page.films.map((film) => [film.id, film] as const)));
  const films = [...shown.values()];
  const [first] = pages.data?.pages ?? [];
  const total = pages.data?.pages.at(-1)?.total ?? 0;
  const toggle = (some: readonly FilmOnDesk[], isChosen: boolean) =>
    setChosen((before) => {
      const now = new Map(before);
      for (const film of some)
        if (isChosen) now.set(film.id, film);
        else now.delete(film.id);
      return now;
    });
  const hasAll = films.length > 0 && films.every(({ id }) => chosen.has(id));
  const heads = [
    <label key="all" className="films-all">
      <input
        type="checkbox"
        aria-label="Select all videos shown"
        checked={hasAll}
        onChange={({ target }) => toggle(films, target.checked)}
      />
      <span>All shown</span>
    </label>,
    ...['Video', 'Transcript', 'Length', 'Added'],
    <span key="edit" className="sr-only">
      Edit
    </span>,
  ];
  return (
    <DeskFrame tab="films">
      <div className="table-head">
        <h2>Videos</h2>
        {pages.data && <span className="tag">{total.toLocaleString('en')}</span>}
        <TableSearch
          name="Videos"
          label="Filter by title, file name or id"
          placeholder="Title, file name or id"
          text={text}
          onSearch={look}
        />
      </div>
      <fieldset className="films-states">
        <legend className="sr-only">Transcript status</legend>
        {states.map(({ state, label }) => (
          <button
            key={state}
            type="button"
            className="films-state"
            aria-pressed={captions === state}
            onClick={() => choose(captions === state ? null : state)}
          >
            {label} <span className="tc">{first?.counts[state].toLocaleString('en') ?? ''}</span>
          </button>
        ))}
        <Link className="link" to={paths.deskReplace}>
          Find and replace in all videos
        </Link>
      </fieldset>
      <PagedTable
        name="Videos"
        className="films-table films-choice"
        heads={heads}
        total={total}
        rows={films.map((film) => (
          <FilmLine key={film.id} film={film} isChosen={chosen.has(film.id)} onChoose={(is) => toggle([film], is)} />
        ))}
        pages={pages}
        wording={{
          loading: 'Loading videos',
          failed: 'The videos could not be loaded.',
          none: 'No videos match.',
          more: 'Show more videos',
        }}
      />
      {chosen.size > 0 && (
        <Suspense>
          <ChangeFilms
            films={[...chosen.values()].map((film) => shown.get(film.id) ?? film)}
            onNoneChosen={() => setChosen(new Map())}
            onLeft={(ids) => setChosen((before) => new Map([...before].filter(([id]) => ids.includes(id))))}
          />
        </Suspense>
      )}
    </DeskFrame>
  );
}

/** What the address asks for. */
function useAsked() {
  const [params, setParams] = useSearchParams();
  const captions = states.find(({ state }) => state === params.get('captions'))?.state ?? null;
  const asked = { captions, text: params.get('text') ?? '' };
  const ask = (next: Partial<typeof asked>) => {
    const { captions, text } = { ...asked, ...next };
    setParams(new URLSearchParams({ ...(captions ? { captions } : {}), ...(text ? { text } : {}) }), {
      replace: true,
      preventScrollReset: true,
    });
  };
  return {
    ...asked,
    choose: (captions: CaptionState | null) => ask({ captions }),
    look: (text: string) => ask({ text: text.trim() }),
  };
}

function FilmLine({ film, isChosen, onChoose }: { film: FilmOnDesk; isChosen: boolean; onChoose: (is: boolean) => void }) {
  const { id, state, externalId, durationInSeconds, createdAt, visibility } = film;
  const name = toDisplayName(film.name);
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Select ${name}`} checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
      </td>
      <td>
        {state === 'Processed' ? (
          <Link className="link" to={paths.video(id)}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        <p className="films-about">
          {externalId && <span className="tc">{externalId} </span>}
          {state !== 'Processed' && <span className="tag">{state}</span>}
          {visibility.shownTo !== 'everybody' && (
            <span className="tag">
              <VisibilityWords visibility={visibility} />
            </span>
          )}
        </p>
      </td>
      <td data-label="Transcript">{saidIn(film)}</td>
      <td data-label="Length">{durationInSeconds > 0 ? formatWholeMinutes(durationInSeconds) : '–'}</td>
      <td data-label="Added">
        <LocalTime at={createdAt} />
      </td>
      <td>
        {state === 'Processed' && (
          <Link
            className={buttonClassFor('outline', 'small')}
            to={`${paths.video(id)}?edit=transcript`}
            aria-label={`Edit transcript of ${name}`}
          >
            Edit transcript
          </Link>
        )}
      </td>
    </tr>
  );
}

/** `12 of 40 lines checked, 3 doubtful`. */
function saidIn({ lines, heard, looked, doubtful }: FilmOnDesk): string {
  if (lines === 0) return 'None';
  if (looked === lines) return `Verified, ${nameCount(lines, 'line')}`;
  const from = heard === 0 ? 'supplied with the video' : 'made by a machine';
  const how =
    looked === 0 ? `${nameCount(lines, 'line')}, ${from}` : `${looked.toLocaleString('en')} of ${nameCount(lines, 'line')} checked`;
  return doubtful > 0 ? `${how}, ${doubtful.toLocaleString('en')} doubtful` : how;
}
