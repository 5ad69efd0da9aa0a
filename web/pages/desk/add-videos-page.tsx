import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { isFootageName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import type { Incoming } from '#contract/steps.ts';
import { incomingWith } from '#web/api/uploads/incoming.ts';
import { addToQueue, goAlong, isSentHere, type QueuedFile, queuedFiles } from '#web/api/uploads/upload-queue.ts';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useStore } from '#web/ui/store.ts';
import { showToast } from '#web/ui/toast.tsx';
import { type ChosenFile, chosenWork, filesOfChoice, filesOfDrop, formatBytes, type SortedFiles, sortFiles } from './chosen-files.ts';
import { DeskFrame } from './desk-frame.tsx';
import { FilmRow } from './film-row.tsx';
import { standingOf } from './stages.ts';
import { HalfwayRow, LeftOutRow, UploadRow } from './upload-rows.tsx';
import './desk.css';
import './add-videos.css';

/** Where editors bring footage in, and follow it until it is found. */
export function AddVideosPage() {
  const [films, setFilms] = useState<number>(limits.filmsUnderWay);
  const incoming = useQuery(incomingWith(films));
  const { data, dataUpdatedAt, isPending, isPlaceholderData, refetch } = incoming;
  const failure = useFailure(incoming);
  const queue = useStore(queuedFiles);
  return (
    <DeskFrame tab="add">
      {isPending && !failure && <Spinner label="Loading uploads" />}
      {failure && !data && <LoadFailed says={`The uploads could not be loaded. ${failure.message}`} onRetry={refetch} />}
      {data && <AddVideos now={data} atMs={dataUpdatedAt} queue={queue} />}
      {data && (
        <OtherFilms
          count={data.counts.films - data.films.length}
          isLoading={isPlaceholderData}
          onMore={films < limits.filmsUnderWayMax ? () => setFilms(films + limits.filmsUnderWay) : undefined}
        />
      )}
    </DeskFrame>
  );
}

/** `atMs`: when the archive said how it is. */
function AddVideos({ now, atMs, queue }: { now: Incoming; atMs: number; queue: readonly QueuedFile[] }) {
  const [left, setLeft] = useState<SortedFiles['left']>([]);
  const [tells, setTells] = useState<SortedFiles['tells']>([]);
  const take = (chosen: readonly ChosenFile[], unread: readonly string[] = []) => {
    const sorted = sortFiles(chosen, now.limits);
    setLeft([...unread.map((name) => ({ name, why: 'it could not be read' })), ...sorted.left]);
    const onTheirWay = addToQueue(sorted.films);
    setTells(goAlong(sorted.tells));
    if (onTheirWay > 0) showToast(`${nameCount(onTheirWay, 'file')} ${onTheirWay === 1 ? 'is' : 'are'} already uploading.`);
  };
  const rows = rowsOf(
    now,
    queue.filter((item) => !isFilm(item, now, atMs)),
  );
  return (
    <>
      <div className="table-head">
        <h2>Add videos</h2>
        <p role="status">{countsOf(now, queue)}</p>
      </div>
      <DropPlace now={now} onChosen={take} />
      {tells.length > 0 && <TellsOfFilms files={tells} />}
      {left.length > 0 && <LeftOut left={left} onClose={() => setLeft([])} />}
      {rows.length === 0 && <p className="table-none">No videos yet.</p>}
      <ul className="jobs">
        {rows.map((row) => (
          <li key={row.key} className="job">
            {row.is === 'queued' && <UploadRow item={row.item} />}
            {row.is === 'halfway' && <HalfwayRow upload={row.upload} />}
            {row.is === 'left-out' && <LeftOutRow file={row.file} />}
            {row.is === 'film' && <FilmRow film={row.film} />}
          </li>
        ))}
      </ul>
    </>
  );
}

interface OtherFilmsProps {
  count: number;
  isLoading: boolean;
  /** Undefined where as many are shown as can be. */
  onMore: (() => void) | undefined;
}

/** How many films are not among the rows, and how they are seen. */
function OtherFilms({ count, isLoading, onMore }: OtherFilmsProps) {
  if (count <= 0) return;
  return (
    <div className="load-more">
      {onMore && (
        <Button look="outline" size="large" busy={isLoading} onClick={onMore}>
          Show more videos
        </Button>
      )}
      <p role="status">
        {nameCount(count, 'more video')}.{' '}
        {!onMore && (
          <>
            They appear here as those above finish. All are listed under{' '}
            <Link className="link" to={paths.deskFilms}>
              Videos
            </Link>
            .
          </>
        )}
      </p>
    </div>
  );
}

type Row = { readonly key: string } & (
  | { readonly is: 'queued'; readonly item: QueuedFile }
  | { readonly is: 'halfway'; readonly upload: Incoming['unfinished'][number] }
  | { readonly is: 'left-out'; readonly file: Incoming['leftOut'][number] }
  | { readonly is: 'film'; readonly film: Incoming['films'][number] }
);

/** After so long the archive has told of a film that came, unless it is deleted, or behind the last of those that are listed. */
const toldAfterMs = 10_000;

/** Whether an upload from here is one of the films by now: then it needs no row of its own, but for what is to be read there. */
function isFilm({ file, replaces, state }: QueuedFile, { films }: Incoming, atMs: number): boolean {
  if (state.is !== 'added') return false;
  if (films.some(({ id }) => id === state.videoId)) return true;
  const isNew = replaces === undefined && isFootageName(file.name) && state.remarks.length === 0;
  return isNew && atMs > state.endedAtMs + toldAfterMs;
}

/** What failed first, then what is being sent, then films as the server orders them. */
function rowsOf({ films, unfinished, leftOut }: Incoming, queue: readonly QueuedFile[]): Row[] {
  const all: Row[] = [
    ...queue.map((item) => ({ is: 'queued' as const, key: `queued ${item.key}`, item })),
    ...unfinished
      .filter((upload) => !isSentHere(upload))
      .map((upload) => ({ is: 'halfway' as const, key: `halfway ${upload.id}`, upload })),
    ...leftOut.map((file) => ({ is: 'left-out' as const, key: `left out ${file.id}`, file })),
    ...films.map((film) => ({ is: 'film' as const, key: `film ${film.id}`, film })),
  ];
  const hasFailed = (row: Row) =>
    row.is === 'left-out' ||
    (row.is === 'queued' && row.item.state.is === 'refused') ||
    (row.is === 'film' && standingOf(row.film) === 'needs attention');
  return [...all.filter(hasFailed), ...all.filter((row) => !hasFailed(row))];
}

/** `5 files, 3 processing, 1 ready, 1 needs attention`. */
function countsOf({ counts: { films, needAttention, underWay }, leftOut }: Incoming, queue: readonly QueuedFile[]): string {
  const sending = queue.filter(({ state }) => !['added', 'known', 'refused'].includes(state.is)).length;
  const refused = leftOut.length + queue.filter(({ state }) => state.is === 'refused').length;
  const files = films + sending + refused;
  const attention = needAttention + refused;
  const written = (count: number) => count.toLocaleString('en');
  const parts = [
    nameCount(files, 'file'),
    ...(sending > 0 ? [`${written(sending)} uploading`] : []),
    ...(underWay > 0 ? [`${written(underWay)} processing`] : []),
    `${written(films - needAttention - underWay)} ready`,
    ...(attention > 0 ? [`${written(attention)} ${attention === 1 ? 'needs' : 'need'} attention`] : []),
  ];
  return parts.join(', ');
}

/** What originals may still come to, where somebody bounds them. */
function QuotaLeft({ left: { archive, own } }: { left: Incoming['limits']['originalsLeftBytes'] }) {
  const parts = [own !== null && `${formatBytes(own)} of yours`, archive !== null && `${formatBytes(archive)} of the archive’s`].filter(
    Boolean,
  );
  return parts.length > 0 && <p>Quota left: {parts.join(', ')}.</p>;
}

function DropPlace({ now: { limits: room }, onChosen }: { now: Incoming; onChosen: Drops['onChosen'] }) {
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const choose = (input: HTMLInputElement) => {
    onChosen(filesOfChoice(input.files));
    // The same file may be chosen again.
    input.value = '';
  };
  const most = formatBytes(Math.min(room.quotaLeftBytes, room.freeBytes));
  return (
    <div className="drop" ref={(place) => (place ? takeDrops({ onOver: setOver, onChosen }) : undefined)}>
      <Icon name="upload" size={24} />
      <div className="drop-text">
        <h3>Drop footage here</h3>
        <p>
          Video and audio, with subtitles or details beside them; files or folders. Up to {formatBytes(room.fileMaxBytes)} a file; room for{' '}
          {most} now. Uploads resume after a lost connection; unfinished ones are kept for {limits.uploadKeptDays} days. You can also{' '}
          <Link className="link" to={paths.deskExistingWork}>
            import from another archive
          </Link>
          .
        </p>
        <QuotaLeft left={room.originalsLeftBytes} />
      </div>
      <div className="drop-choose">
        <Button look="primary" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button look="outline" onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input ref={files} type="file" multiple hidden aria-label="Files" onChange={(event) => choose(event.currentTarget)} />
      <input
        ref={(input) => {
          folder.current = input;
          if (input) input.webkitdirectory = true;
        }}
        type="file"
        hidden
        aria-label="Folder"
        onChange={(event) => choose(event.currentTarget)}
      />
      {isOver && <div className="drop-over" aria-hidden="true" />}
    </div>
  );
}

interface Drops {
  readonly onOver: (isOver: boolean) => void;
  readonly onChosen: (chosen: readonly ChosenFile[], unread?: readonly string[]) => void;
}

/** Anywhere on the page will do. */
function takeDrops({ onOver, onChosen }: Drops): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const bringsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    onOver(true);
  };
  const drop = (event: DragEvent) => {
    onOver(false);
    if (!bringsFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    void filesOfDrop(event.dataTransfer.items).then(({ chosen, unread }) => onChosen(chosen, unread));
  };
  // Leaving for nowhere is leaving the window.
  const leave = (event: DragEvent) => event.relatedTarget === null && onOver(false);
  window.addEventListener('dragover', over, { signal });
  window.addEventListener('drop', drop, { signal });
  window.addEventListener('dragleave', leave, { signal });
  return () => listening.abort();
}

function TellsOfFilms({ files }: { files: SortedFiles['tells'] }) {
  const names = files.slice(0, 3).map(({ name }) => name);
  return (
    <div className="left-out" role="status">
      <p>
        <bdi>{names.join(', ')}</bdi>
        {files.length > names.length && ` and ${(files.length - names.length).toLocaleString('en')} more`}{' '}
        {files.length === 1 ? 'belongs' : 'belong'} to no video here, and may be records from another archive. Nothing was sent.
      </p>
      <Link
        className={buttonClassFor('outline', 'small')}
        to={paths.deskExistingWork}
        onClick={() => chosenWork.set({ key: chosenWork.read().key + 1, files })}
      >
        See what {files.length === 1 ? 'it contains' : 'they contain'}
      </Link>
    </div>
  );
}

function LeftOut({ left, onClose }: { left: SortedFiles['left']; onClose: () => void }) {
  return (
    <div className="left-out" role="alert">
      <p>
        {nameCount(left.length, 'file')} {left.length === 1 ? 'was' : 'were'} left out:
      </p>
      <ul>
        {left.slice(0, limits.filesLeftShownMax).map(({ name, why }) => (
          <li key={`${name} ${why}`}>
            <bdi>{name}</bdi>: {why}
          </li>
        ))}
      </ul>
      <Button look="outline" size="small" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
