import '#web/embed/insights/how-known.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, useCallback, useState, useSyncExternalStore } from 'react';
import type { Line, LineEntry } from '#contract/corrections.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { correctLines, linesOf, undoCorrection } from '#web/api/corrections.ts';
import { followRevision } from '#web/api/films.ts';
import { queryClient } from '#web/api/query-client.ts';
import { lineOf } from '#web/components/text/replace-in-lines.ts';
import { formatTimeCode } from '#web/embed/time-code.ts';
import { createStore, type Store } from '#web/embed/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import './edit-lines.css';
import { ChangeMany, TranscriptFiles } from './change-many.tsx';
import { isSameLine, joinLines, nextDoubtful, placeOf, splitLine } from './edited-lines.ts';
import { LineForm } from './line-form.tsx';

/** What the keys do with the film. */
interface FilmKeys {
  readonly clock: Store<number>;
  seek(seconds: number): void;
  togglePlay(): void;
}

interface EditLinesProps {
  videoId: string;
  film: FilmKeys;
  onDone: () => void;
}

/** What is said in the film, line by line, to be listened to, mended and confirmed by the keyboard. */
export function EditLines({ videoId, film, onDone }: EditLinesProps) {
  const found = useQuery(linesOf(videoId));
  const lines = found.data ?? [];
  return (
    <section className="edit-lines" aria-label="Edit transcript">
      <header>
        <h2>Transcript</h2>
        <p>{found.data && howFar(lines)}</p>
        <Button look="outline" size="small" onClick={onDone}>
          Done
        </Button>
      </header>
      <TranscriptFiles videoId={videoId} />
      <News videoId={videoId} />
      {found.isPending && <Spinner />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data?.length === 0 && <p className="edit-lines-none">No speech has been recognised in this video.</p>}
      {lines.length > 0 && <ChangeMany videoId={videoId} lines={lines} seek={film.seek} />}
      {lines.length > 0 && <Lines videoId={videoId} lines={lines} film={film} />}
      <Keys />
    </section>
  );
}

/** What somebody else has just changed. */
function News({ videoId }: { videoId: string }) {
  const { data } = useQuery(followRevision(videoId));
  if (!data?.news) return null;
  return (
    <p className="edit-lines-news" role="status">
      {data.news.sentence}
    </p>
  );
}

function howFar(lines: readonly LineEntry[]): string {
  const looked = lines.filter(({ review }) => review).length;
  const doubtful = lines.filter(({ isDoubtful }) => isDoubtful).length;
  return `${looked} of ${lines.length} looked at${doubtful > 0 ? `, ${doubtful} doubtful` : ''}`;
}

/** How far before a line playback may be, or behind its beginning, for it to go on when the line is chosen. */
const nearSeconds = 1.5;
const backSeconds = 2;

function Lines({ videoId, lines, film }: { videoId: string; lines: readonly LineEntry[]; film: FilmKeys }) {
  const [chosen, setChosen] = useState<Line | null>(null);
  // Beside the state: a letter that is typed draws one line anew and not all of them.
  const [draft] = useState(() => createStore<Line | null>(null));
  const [said, setSaid] = useState('');
  const at = placeOf(lines, chosen);
  const line = lines[at];
  /** Where something was typed, what was there before: whatever somebody else wrote meanwhile is not overwritten unseen. */
  const seen = () => (draft.read() ? chosen : null) ?? line;
  const playing = useSyncExternalStore(film.clock.subscribe, () => playingAt(lines, film.clock.read()));

  const choose = useCallback(
    (next: LineEntry | undefined) => {
      if (!next) return;
      draft.set(null);
      setChosen(lineOf(next));
      const seconds = film.clock.read();
      const isThere = seconds >= next.startMs / 1_000 - nearSeconds && seconds < next.endMs / 1_000;
      if (!isThere) film.seek(next.startMs / 1_000);
    },
    [draft, film],
  );
  const change = useMutation({
    mutationFn: (change: { replaces: Line[]; lines: Line[] }) => correctLines(videoId, [change]),
    onError: async (reason) => {
      // What was typed stays, and would replace what is there now. Whoever reads the refusal may press at once: it is told after this.
      if (!(reason instanceof CallFailed) || reason.code !== 'version_mismatch') return;
      const now = await queryClient.fetchQuery(linesOf(videoId)).catch(() => []);
      if (now.length > 0) setChosen(now[placeOf(now, chosen)] ?? null);
    },
  });
  const undo = useMutation({ mutationFn: (correction: number) => undoCorrection(videoId, correction) });
  const keep = (replaces: Line[], are: Line[], { saying, goOn }: Kept) => {
    if (change.isPending) return;
    const kept = (now: readonly LineEntry[]) => {
      setSaid(saying);
      goOn(now);
    };
    change.mutate({ replaces: replaces.map(lineOf), lines: are.map(lineOf) }, { onSuccess: kept });
  };
  const stayAt = (stays: Line) => (now: readonly LineEntry[]) => {
    draft.set(null);
    setChosen(now[placeOf(now, stays)] ?? null);
  };

  /** Keeps what was typed, or confirms the line as it is, and goes on to another: the one behind it, where none is named. */
  const accept = (next?: LineEntry) => {
    if (!line) return;
    const [was, is] = [seen() ?? line, draft.read() ?? line];
    const goOn = (now: readonly LineEntry[]) => choose(next ? now[placeOf(now, next)] : (now[placeOf(now, is) + 1] ?? now.at(-1)));
    keep([was], [is], { saying: isSameLine(was, is) ? 'Line verified.' : 'Line corrected.', goOn });
  };
  const goTo = (next: LineEntry | undefined) => (draft.read() && next ? accept(next) : choose(next));
  const split = (caret: number) => {
    const parts = line && splitLine(draft.read() ?? line, caret);
    if (line && parts) keep([seen() ?? line], parts, { saying: 'Line split.', goOn: stayAt(parts[0]) });
  };
  const join = () => {
    const next = lines[at + 1];
    const joined = line && next && joinLines(draft.read() ?? line, next);
    if (joined) keep([seen() ?? line, next], [joined], { saying: 'Lines joined.', goOn: stayAt(joined) });
  };
  const remove = () => {
    const stays = lines[at + 1] ?? lines[at - 1];
    if (line) keep([line], [], { saying: 'Line removed.', goOn: (now) => choose(now[placeOf(now, stays ?? null)]) });
  };
  const takeBack = () => {
    if (!line?.correction || undo.isPending) return;
    const onSuccess = async () => {
      await queryClient.fetchQuery(linesOf(videoId)).then(stayAt(line));
      setSaid('Taken back.');
    };
    undo.mutate(line.correction, { onSuccess });
  };
  const press = (event: KeyboardEvent) => {
    const acts: Readonly<Record<Act, () => void>> = {
      ...{ play: film.togglePlay, back: () => film.seek(Math.max(0, film.clock.read() - backSeconds)) },
      ...{ next: () => goTo(lines[at + 1]), previous: () => goTo(lines[at - 1]), doubtful: () => goTo(lines[nextDoubtful(lines, at)]) },
      ...{ join, undo: takeBack },
    };
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    acts[act]();
  };
  const fault = change.error?.message ?? undo.error?.message;
  const acts = {
    onBegin: () => line && setChosen(lineOf(line)),
    onAccept: () => accept(),
    onSplit: split,
    onRemove: remove,
    onUndo: takeBack,
    onJoin: lines[at + 1] && join,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside, wherever among them the focus is
    <div className="edit-lines-list" onKeyDown={press}>
      <p className="sr-only" role="status">
        {said}
      </p>
      <ol>
        {lines.map((one, n) => (
          <li key={`${one.startMs} ${one.endMs} ${one.text}`} aria-current={n === playing || undefined}>
            {n === at ? (
              <LineForm
                key={chosen?.startMs ?? one.startMs}
                line={one}
                seen={chosen ?? one}
                draft={draft}
                clock={film.clock}
                fault={fault}
                acts={acts}
              />
            ) : (
              <LineRow line={one} onPick={choose} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface Kept {
  /** Read aloud. */
  readonly saying: string;
  /** What comes when the archive has kept it, with the lines that there are then. */
  readonly goOn: (now: readonly LineEntry[]) => void;
}

/** The line that is said at a second; -1 in a silence. */
function playingAt(lines: readonly LineEntry[], seconds: number): number {
  return lines.findLastIndex(({ startMs, endMs }) => startMs <= 1_000 * seconds && 1_000 * seconds < endMs);
}

/** A line that is not being worked on. */
const LineRow = memo(function LineRow({ line, onPick }: { line: LineEntry; onPick: (line: LineEntry) => void }) {
  const { startMs, text, speaker, review, isDoubtful } = line;
  return (
    <button type="button" className="edit-line" onClick={() => onPick(line)}>
      <span className="tc">{formatTimeCode(startMs / 1_000)}</span>
      <span>
        {speaker && <b>{speaker}: </b>}
        <span className={isDoubtful ? 'doubtful' : undefined}>{text}</span>
      </span>
      {review && <span className={`badge ${review}`}>{review}</span>}
      {isDoubtful && <span className="badge">doubtful</span>}
    </button>
  );
});

type Act = 'play' | 'back' | 'next' | 'previous' | 'doubtful' | 'join' | 'undo';

/** By the place of the key, since Option writes other letters on a Mac. */
const actsOfAlt: Readonly<Record<string, Act>> = {
  ...{ KeyJ: 'back', ArrowDown: 'next', ArrowUp: 'previous', KeyN: 'doubtful', KeyM: 'join', KeyU: 'undo' },
};

function actOf({ altKey, ctrlKey, metaKey, shiftKey, code }: KeyboardEvent): Act | undefined {
  if (ctrlKey || metaKey) return undefined;
  if (shiftKey) return code === 'Space' && !altKey ? 'play' : undefined;
  return altKey ? actsOfAlt[code] : undefined;
}

const keys: readonly [key: string, does: string][] = [
  ['Enter', 'Accept, next line'],
  ['Shift Space', 'Play, pause'],
  ['Alt J', 'Back 2 seconds'],
  ['Alt N', 'Next doubtful line'],
  ['Alt ↓ ↑', 'Next, previous line'],
  ['Shift Enter', 'Split at the caret'],
  ['Alt M', 'Join with the next'],
  ['Alt [ ]', 'Begins, ends now'],
  ['Alt U', 'Undo'],
  ['Esc', 'Forget what was typed'],
];

function Keys() {
  return (
    <details className="edit-lines-keys">
      <summary>Keys</summary>
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
