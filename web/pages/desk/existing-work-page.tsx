import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { toDisplayName } from '#contract/display-name.ts';
import type { FilmBeside, FilmToTake } from '#contract/films.ts';
import { existingWorkOf, type ReadWork, takeExistingWork } from '#web/api/films.ts';
import { addToQueue } from '#web/api/uploads/upload-queue.ts';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { createStore, type Store, useStore } from '#web/ui/store.ts';
import { showToast } from '#web/ui/toast.tsx';
import { chosenWork } from './chosen-files.ts';
import { DeskFrame } from './desk-frame.tsx';
import { forEachFilm, outcomeOf } from './for-each-film.ts';
import './desk.css';
import './films-table.css';
import './details.css';

/** Films that were worked on elsewhere: what each file tells of them, and what of it cannot be read, is seen before anything is written. */
export function ExistingWorkPage() {
  const { key, files } = useStore(chosenWork);
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <DeskFrame tab="add">
      <div className="table-head">
        <h2>Import from another archive</h2>
      </div>
      <p className="desk-lead">
        Import another archive’s records of videos whose files are not here: an index from Azure AI Video Indexer (JSON), an OHMS interview
        (XML) or catalogue records (JSON, or JSONL with one per line). You see what would be imported, and what cannot be read, before
        anything is saved.
      </p>
      <p className="details-choose">
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept=".json,.jsonl,.xml"
          aria-label="Files to import"
          onChange={({ target }) => {
            chosenWork.set({ key: key + 1, files: [...(target.files ?? [])] });
            target.value = '';
          }}
        />
        <Button look={files.length > 0 ? 'outline' : 'primary'} onClick={() => chooser.current?.click()}>
          {files.length > 0 ? 'Choose other files' : 'Choose files'}
        </Button>
        <Link className="link" to={paths.desk}>
          Back to Add videos
        </Link>
      </p>
      {files.length > 0 && <Works key={key} choice={key} files={files} />}
    </DeskFrame>
  );
}

/** All that the files tell, and the button that takes it in. */
function Works({ choice, files }: { choice: number; files: readonly File[] }) {
  const found = useQuery(existingWorkOf(choice, files));
  const failure = useFailure(found);
  const [done] = useState(() => createStore(0));
  const read = found.data ?? [];
  const fresh = read.filter(({ preview }) => preview?.films.some(({ known }) => !known));
  const films = fresh.reduce((sum, { preview }) => sum + (preview?.films.filter(({ known }) => !known).length ?? 0), 0);
  const take = useMutation({
    mutationFn: async () => {
      let added = 0;
      const outcome = await forEachFilm(
        fresh.map(({ file }) => ({ name: file.name, file })),
        async ({ file }) => {
          added += (await takeExistingWork(file)).added.length;
        },
        done.set,
      );
      return { ...outcome, added };
    },
    onSuccess: ({ added, ...outcome }) => {
      const rest = outcomeOf(outcome);
      showToast(`${nameCount(added, 'video')} imported.${rest}`, rest ? 'unfinished' : 'done');
    },
    onError: (reason) => showToast(reason.message, 'failed'),
    onSettled: () => {
      done.set(0);
      void found.refetch();
    },
  });
  if (found.isPending && !failure) return <Spinner label={`Reading ${nameCount(files.length, 'file')}`} />;
  if (failure) return <LoadFailed says={failure.message} onRetry={found.refetch} />;
  return (
    <>
      {films > 0 ? (
        <p className="details-do">
          <Button look="primary" busy={take.isPending} onClick={() => take.mutate()}>
            Import {nameCount(films, 'video')}
          </Button>
          <Progress done={done} of={fresh.length} />
        </p>
      ) : (
        read.some(({ preview }) => preview) && (
          <p className="table-none">Nothing new in {files.length === 1 ? 'this file' : 'these files'}.</p>
        )
      )}
      {read.map((work) => (
        <WorkOfFile key={work.key} work={work} />
      ))}
    </>
  );
}

function Progress({ done, of }: { done: Store<number>; of: number }) {
  const count = useStore(done);
  return <span role="status">{count > 0 && `${nameCount(count, 'file')} of ${of.toLocaleString('en')}`}</span>;
}

function WorkOfFile({ work: { file, preview, refusal } }: { work: ReadWork }) {
  const heading = `work-${file.name}`;
  return (
    <section className="work-file" aria-labelledby={heading}>
      <h3 id={heading}>
        <bdi>{file.name}</bdi>
      </h3>
      {refusal && <p role="alert">{refusal}</p>}
      {preview?.beside && <Beside file={file} film={preview.beside} />}
      {preview && preview.films.length > 0 && <FilmTable name={file.name} films={preview.films} />}
      {preview && preview.leftCount > 0 && (
        <details className="details-left" open={preview.leftCount <= openUpTo}>
          <summary>{nameCount(preview.leftCount, 'problem')}</summary>
          <ul>
            {preview.left.map((one) => (
              <li key={one}>{one}</li>
            ))}
            {preview.leftCount > preview.left.length && <li>And {(preview.leftCount - preview.left.length).toLocaleString('en')} more.</li>}
          </ul>
        </details>
      )}
    </section>
  );
}

const openUpTo = 10;

/** Its name fits a film whose file is here. */
function Beside({ file, film }: { file: File; film: FilmBeside }) {
  const [isSent, setSent] = useState(false);
  const send = () => {
    addToQueue([{ file, sidecars: [] }]);
    setSent(true);
    showToast(`Adding it to “${toDisplayName(film.name)}”. Follow its progress under Add videos.`);
  };
  return (
    <p className="details-do">
      <span>
        This file seems to belong to a video in the archive:{' '}
        <Link className="link" to={paths.video(film.id)}>
          <bdi>{toDisplayName(film.name)}</bdi>
        </Link>
      </span>
      <Button look="outline" size="small" disabled={isSent} onClick={send}>
        {isSent ? 'Sent' : 'Add it to that video'}
      </Button>
    </p>
  );
}

function FilmTable({ name, films }: { name: string; films: readonly FilmToTake[] }) {
  return (
    <table className="table films-table work-films" aria-label={`Videos in ${name}`}>
      <thead>
        <tr>
          <th scope="col">Video</th> <th scope="col">Lines</th>
          <th scope="col">People</th>
          <th scope="col">Labels and brands</th>
        </tr>
      </thead>
      <tbody>
        {films.map((film, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they stand in the order of the file, and two may be called alike
          <tr key={n}>
            <td>
              <bdi>{toDisplayName(film.title)}</bdi>
              <p className="films-table-reason">
                {film.durationInSeconds > 0 && `${formatTimeCode(film.durationInSeconds)}, `}
                {film.language}
              </p>
              {film.known && <Known known={film.known} />}
            </td>
            <td>
              {nameCount(film.lines, 'line')}
              {film.writtenLines > 0 && <p className="films-table-reason">and {nameCount(film.writtenLines, 'line')} on screen</p>}
            </td>
            <td data-label="People">{namesOf(film.people) || <span className="films-table-reason">no people</span>}</td>
            <td data-label="Labels and brands">
              {[namesOf(film.labels), namesOf(film.brands)].filter(Boolean).join(' · ') || (
                <span className="films-table-reason">no labels</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Known({ known }: { known: NonNullable<FilmToTake['known']> }) {
  if (known.isDeleted)
    return (
      <p className="films-table-reason">
        Deleted here. <Link to={paths.deskDeleted}>Restore it</Link> instead.
      </p>
    );
  return (
    <p className="films-table-reason">
      Already in the archive:{' '}
      <Link className="link" to={paths.video(known.id)}>
        <bdi>{toDisplayName(known.name)}</bdi>
      </Link>
    </p>
  );
}

function namesOf({ names, count }: FilmToTake['people']): string {
  return names.join(', ') + (count > names.length ? ` and ${(count - names.length).toLocaleString('en')} more` : '');
}
