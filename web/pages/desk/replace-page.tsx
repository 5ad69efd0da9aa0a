import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Line } from '#contract/corrections.ts';
import { toDisplayName } from '#contract/display-name.ts';
import type { FoundLines } from '#contract/films.ts';
import { correctManyLines, undoCorrections } from '#web/api/corrections.ts';
import { findInAllLines } from '#web/api/films.ts';
import { forgetOnOtherVisitor } from '#web/api/visitor-change.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { replaceInLines } from '#web/components/text/replace-in-lines.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { createStore, useStore } from '#web/ui/store.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { DeskFrame } from './desk-frame.tsx';
import { describeUndo, type ForEach, forEachFilm, outcomeOf } from './for-each-film.ts';
import './desk.css';
import './replace.css';

type FoundFilm = FoundLines['films'][number];

interface Replacing {
  readonly find: string;
  readonly by: string;
  readonly found: { readonly words: string; readonly films: readonly FoundFilm[] } | null;
  /** Films that stay as they are. */
  readonly leftOut: ReadonlySet<string>;
  readonly isUnderWay: boolean;
  readonly written: readonly FilmChange[] | null;
  /** Those that were not written, and why. */
  readonly refused: Pick<ForEach<FilmChange>, 'left' | 'failed'>;
  readonly undone: ForEach<FilmChange> | undefined;
}

const none: Replacing['refused'] = { left: [], failed: [] };

const nothing: Replacing = {
  find: '',
  by: '',
  found: null,
  leftOut: new Set(),
  isUnderWay: false,
  written: null,
  refused: none,
  undone: undefined,
};

/** Kept while a film that was found is looked at: what was written can still be seen, and taken back. */
const replacing = createStore(nothing);
forgetOnOtherVisitor(() => replacing.set(nothing));

function update(more: Partial<Replacing>): void {
  replacing.set({ ...replacing.read(), ...more });
}

/** Words in all that is said, and others in their place: found first, seen film by film, written by one press and taken back by one. */
export function ReplacePage() {
  const { find, by, found, isUnderWay } = useStore(replacing);
  const [looked] = useState(() => createStore(0));
  const [stopping, setStopping] = useState<AbortController | null>(null);
  const search = useMutation({
    mutationFn: async (words: string) => {
      const stops = new AbortController();
      setStopping(stops);
      return { words, films: await findInAllLines(words, { signal: stops.signal, tell: looked.set }) };
    },
    onMutate: () => looked.set(0),
    onSuccess: (found) => update({ found, leftOut: new Set(), written: null, refused: none, undone: undefined }),
    onSettled: () => setStopping(null),
  });
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (find.trim() !== '' && !search.isPending && !isUnderWay) search.mutate(find.trim());
  };
  return (
    <DeskFrame tab="films">
      <div className="table-head">
        <h2>Find and replace</h2>
      </div>
      <p className="desk-lead">
        Correct a name or word that was misheard in many videos. Finds whole words, ignoring case; you see every line before anything is
        saved. Titles and details stay unchanged.
      </p>
      <form className="replace-form" onSubmit={look}>
        <TextField label="Find" value={find} required onChange={({ target }) => update({ find: target.value })} />
        <TextField label="Replace with" value={by} onChange={({ target }) => update({ by: target.value })} />
        <Button look={found ? 'outline' : 'primary'} type="submit" busy={search.isPending}>
          Find
        </Button>
        {stopping && (
          <Button look="ghost" onClick={() => stopping.abort()}>
            Stop
          </Button>
        )}
      </form>
      <Looked count={looked} isUnderWay={search.isPending} />
      {search.isError && !search.isPending && <p role="alert">{search.error.name === 'AbortError' ? 'Stopped.' : search.error.message}</p>}
      {found && !search.isPending && <FoundFilms key={found.words} films={found.films} find={found.words} by={by} />}
    </DeskFrame>
  );
}

function Looked({ count, isUnderWay }: { count: ReturnType<typeof createStore<number>>; isUnderWay: boolean }) {
  const looked = useStore(count);
  return (
    <p className="replace-looked" role="status">
      {looked > 0 && (isUnderWay ? `${nameCount(looked, 'video')} searched so far` : `${nameCount(looked, 'video')} searched.`)}
    </p>
  );
}

/** A film's lines as they would be, and the corrections by which they are, once that was written. */
interface FilmChange {
  readonly id: string;
  readonly name: string;
  readonly lines: readonly { readonly line: Line; readonly becomes: Line }[];
  corrections?: readonly number[];
}

const filmsShown = 100;

function FoundFilms({ films, find, by }: { films: readonly FoundFilm[]; find: string; by: string }) {
  const [progress] = useState(() => createStore(0));
  const { leftOut, written, refused, undone, isUnderWay } = useStore(replacing);
  const section = useRef<HTMLElement>(null);
  /** Said here; on another page by then in a toast. */
  const tell = (done: Partial<Replacing>) => {
    update(done);
    const [says, left] = outcomeInWords(replacing.read());
    if (section.current) return;
    const isWhole = (done.undone ?? replacing.read().refused).failed.length === 0;
    showToast(says, isWhole ? 'done' : 'unfinished', left.length > 0 ? () => undo.mutate(left) : undefined);
  };
  const begin = () => update({ isUnderWay: true });
  const end = () => update({ isUnderWay: false });
  const changes = films
    .filter(({ id }) => !leftOut.has(id))
    .map(({ id, name, lines }): FilmChange => ({ id, name, lines: replaceInLines(lines, find, by) }))
    .filter(({ lines }) => lines.length > 0);
  const lineCount = changes.reduce((sum, { lines }) => sum + lines.length, 0);
  const write = useMutation({
    mutationFn: (all: readonly FilmChange[]) => forEachFilm(all, writeFilm, progress.set),
    onMutate: begin,
    onSettled: end,
    // Of a film that was not changed as a whole a part may stand.
    onSuccess: ({ made, ...refused }) =>
      tell({ written: [...made, ...refused.left.filter(({ corrections = [] }) => corrections.length > 0)], refused, undone: undefined }),
  });
  const undo = useMutation({
    mutationFn: (all: readonly FilmChange[]) =>
      forEachFilm(all, ({ id, corrections = [] }) => undoCorrections(id, corrections), progress.set),
    onMutate: begin,
    onSettled: end,
    // What was not taken back waits for another press.
    onSuccess: (undone) => tell({ written: undone.left.length > 0 ? undone.left : null, undone }),
  });
  const leave = (id: string, isLeft: boolean) =>
    update({ leftOut: new Set(isLeft ? [...leftOut, id] : [...leftOut].filter((one) => one !== id)) });
  if (films.length === 0) return <p className="table-none">No video contains “{find}”.</p>;
  return (
    <section aria-label="What would change" ref={section}>
      <div className="replace-do">
        {written === null ? (
          <Button
            look="primary"
            busy={isUnderWay}
            aria-disabled={lineCount === 0 || undefined}
            onClick={() => lineCount > 0 && write.mutate(changes)}
          >
            Replace in {nameCount(lineCount, 'line')} of {nameCount(changes.length, 'video')}
          </Button>
        ) : (
          <Button look="outline" busy={isUnderWay} onClick={() => undo.mutate(written)}>
            Undo all
          </Button>
        )}
        <p role="status">{outcomeInWords({ written, refused, undone })[0]}</p>
      </div>
      <ol className="replace-films">
        {films.slice(0, filmsShown).map((film) => (
          <FoundFilmRow
            key={film.id}
            film={film}
            find={find}
            by={by}
            fault={refused.failed[refused.left.findIndex(({ id }) => id === film.id)]}
            isLeft={leftOut.has(film.id)}
            onLeave={(isLeft) => leave(film.id, isLeft)}
          />
        ))}
      </ol>
      {films.length > filmsShown && <p className="table-none">And {nameCount(films.length - filmsShown, 'video')} more.</p>}
    </section>
  );
}

/** What became of it, and what of it can be taken back. */
function outcomeInWords({
  written,
  refused,
  undone,
}: Pick<Replacing, 'written' | 'refused' | 'undone'>): [says: string, left: readonly FilmChange[]] {
  const left = written ?? [];
  if (undone) return [describeUndo(undone, 'video'), left];
  const lines = left.reduce((sum, one) => sum + one.lines.length, 0);
  return [written ? `${nameCount(lines, 'line')} of ${nameCount(left.length, 'video')} changed.${outcomeOf(refused)}` : '', left];
}

/** All lines of a film with one press, so that one takes them back; notes by which corrections they stand there. */
async function writeFilm(change: FilmChange): Promise<void> {
  await correctManyLines(
    change.id,
    change.lines.map(({ line, becomes }) => ({ replaces: [line], lines: [becomes] })),
    (corrections) => {
      change.corrections = corrections;
    },
  );
}

interface FoundFilmRowProps {
  film: FoundFilm;
  find: string;
  by: string;
  /** Why it was not changed. */
  fault: string | undefined;
  isLeft: boolean;
  onLeave: (isLeft: boolean) => void;
}

const linesShown = 20;

function FoundFilmRow({ film: { id, name, lines }, find, by, fault, isLeft, onLeave }: FoundFilmRowProps) {
  const title = toDisplayName(name);
  const changed = replaceInLines(lines, find, by);
  return (
    <li className={isLeft ? 'replace-left' : undefined}>
      <label>
        <input type="checkbox" checked={!isLeft} aria-label={`Change ${title}`} onChange={({ target }) => onLeave(!target.checked)} />
        <Link className="link" to={paths.video(id)}>
          <bdi>{title}</bdi>
        </Link>
      </label>
      {fault && <p className="field-message">Not changed. {fault}</p>}
      <ul>
        {(changed.length > 0 ? changed : lines.map((line) => ({ line, becomes: line }))).slice(0, linesShown).map(({ line, becomes }) => (
          <li key={`${line.startMs} ${line.text}`}>
            <Link className="tc" to={paths.video(id, { seconds: line.startMs / 1_000 })}>
              {formatTimeCode(line.startMs / 1_000)}
            </Link>
            <span>{line === becomes ? line.text : <Change was={line.text} is={becomes.text} />}</span>
          </li>
        ))}
      </ul>
      {lines.length > linesShown && <p>And {nameCount(lines.length - linesShown, 'line')} more.</p>}
    </li>
  );
}

function Change({ was, is }: { was: string; is: string }) {
  return (
    <>
      <del>{was}</del> <ins>{is}</ins>
    </>
  );
}
