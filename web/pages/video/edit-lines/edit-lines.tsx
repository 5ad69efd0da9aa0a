import '#web/embed/insights/how-known.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type MouseEvent, useState, useSyncExternalStore } from 'react';
import type { Line, LineEntry } from '#contract/corrections.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { correctLines, linesOf } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { AskBeforeLeaving, LeaveTyped } from '#web/components/ask-before-leaving.tsx';
import { lineOf } from '#web/components/text/replace-in-lines.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { createStore, type Store, useStore } from '#web/ui/store.ts';
import './edit-lines.css';
import { ChangeMany, TranscriptFiles } from './change-many.tsx';
import {
  type Act,
  actOf,
  describeProgress,
  isAtTimeOf,
  isSameLine,
  joinLines,
  nextDoubtfulIn,
  pickReplacement,
  placeOf,
  playingAt,
  splitLine,
} from './edited-lines.ts';
import { type Kept, Keys, LineForm, LineRow, News, Removed, useTakingBack } from './line-form.tsx';

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
  const work = useLineWork({ videoId, lines, film });
  return (
    <section className="edit-lines" aria-label="Edit transcript">
      <header>
        <h2>Transcript</h2>
        <p>{found.data && describeProgress(lines)}</p>
        <Button look="outline" size="small" busy={work.isKeeping} onClick={() => work.end(onDone)}>
          Done
        </Button>
      </header>
      <TranscriptFiles videoId={videoId} />
      <News videoId={videoId} />
      {found.isPending && <Spinner />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {work.deed?.isRemoval && <Removed line={work.deed.line} fault={lines.length === 0 && work.fault} onUndo={work.takeBackLast} />}
      {found.data?.length === 0 && <p className="edit-lines-none">This transcript has no lines.</p>}
      {lines.length > 0 && <ChangeMany videoId={videoId} lines={lines} seek={film.seek} />}
      {lines.length > 0 && <Lines lines={lines} film={film} work={work} />}
      <Unsaved draft={work.draft} />
      {work.refused && <LeaveTyped onLeave={work.refused} onStay={work.stay} />}
      <Keys />
    </section>
  );
}

function Unsaved({ draft }: { draft: Store<Line | null> }) {
  return useStore(draft) && <AskBeforeLeaving isUnsaved={() => draft.read() !== null} />;
}

/** How far before a line playback may be, or behind its beginning, for it to go on when the line is chosen. */
const nearSeconds = 1.5;
const backSeconds = 2;

interface LineWorkOptions {
  videoId: string;
  lines: readonly LineEntry[];
  film: FilmKeys;
}

/** The line that is chosen, what was typed into it, and what can be done with it. */
function useLineWork({ videoId, lines, film }: LineWorkOptions) {
  const [chosen, setChosen] = useState<Line | null>(null);
  // Beside the state: a letter that is typed draws one line anew and not all of them.
  const [draft] = useState(() => createStore<Line | null>(null));
  const [said, setSaid] = useState('');
  /** What was to come after a line that was refused. */
  const [refused, setRefused] = useState<(() => void) | null>(null);
  const at = placeOf(lines, chosen);
  const line = lines[at];
  /** Where something was typed, what was there before: whatever somebody else wrote meanwhile is not overwritten unseen. */
  const seen = () => (draft.read() ? chosen : null) ?? line;
  /** What somebody else removed while something was typed into it stands there anew when it is accepted, and takes the place of no other. */
  const isGone = () => draft.read() !== null && chosen !== null && !lines.some((one) => isAtTimeOf(one, chosen));

  const choose = (next: LineEntry | undefined) => {
    if (!next) return;
    // What was sent from the line before is kept, and leads nobody back there.
    change.reset();
    forget();
    setChosen(lineOf(next));
    const seconds = film.clock.read();
    const isThere = seconds >= next.startMs / 1_000 - nearSeconds && seconds < next.endMs / 1_000;
    if (!isThere) film.seek(next.startMs / 1_000);
  };
  const change = useMutation({
    mutationFn: async (change: { replaces: Line[]; lines: Line[] }) => await correctLines(videoId, [change]),
    onError: async (reason) => {
      // What was typed stays, and would replace what is there now. Whoever reads the refusal may press at once: it is told after this.
      if (!(reason instanceof CallFailed) || reason.code !== 'version_mismatch') return;
      const now = await queryClient.fetchQuery(linesOf(videoId)).catch(() => []);
      const there = chosen && pickReplacement(now, chosen);
      if (there) setChosen(lineOf(there));
    },
  });
  const { deed, setDeed, undo, takeBack } = useTakingBack(videoId, (goOn) => {
    change.reset();
    return (now) => {
      goOn(now);
      setSaid('Undone.');
    };
  });
  /** What was typed, and why it or anything else was refused; what is being kept goes on, and says how it ended. */
  const forget = () => {
    draft.set(null);
    if (!change.isPending) change.reset();
    if (!undo.isPending) undo.reset();
  };
  const keep = (replaces: Line[], are: Line[], { saying, goOn, onRefused }: Kept) => {
    if (change.isPending) return;
    if (!undo.isPending) undo.reset();
    const kept = ({ lines: now, correction }: Awaited<ReturnType<typeof correctLines>>) => {
      const [line] = replaces;
      setDeed(line && correction !== null ? { correction, line, isRemoval: are.length === 0 } : null);
      setSaid(saying);
      goOn(now);
    };
    change.mutate({ replaces: replaces.map(lineOf), lines: are.map(lineOf) }, { onSuccess: kept, onError: onRefused });
  };
  const stayAt = (stays: Line) => (now: readonly LineEntry[]) => {
    draft.set(null);
    setChosen(now[placeOf(now, stays)] ?? null);
  };

  /** Keeps what was typed, or confirms the line as it is. */
  const keepTyped = (then: (now: readonly LineEntry[], kept: Line) => void, onRefused?: () => void) => {
    if (!line) return;
    const sent = draft.read();
    const [was, is] = [seen() ?? line, sent ?? line];
    // What was typed meanwhile stays, over what was kept.
    const goOn = (now: readonly LineEntry[]) => (draft.read() === sent ? then(now, is) : setChosen(lineOf(is)));
    if (isGone()) keep([], [is], { saying: 'Line added.', goOn, onRefused });
    else keep([was], [is], { saying: isSameLine(was, is) ? 'Line verified.' : 'Line corrected.', goOn, onRefused });
  };
  return {
    at,
    line,
    chosen,
    draft,
    said,
    fault: change.error?.message ?? undo.error?.message,
    isKeeping: change.isPending,
    refused,
    stay: () => setRefused(null),
    forget,
    begin: () => line && setChosen(lineOf(line)),
    accept: () => keepTyped((now, kept) => choose(now[placeOf(now, kept) + 1] ?? now.at(-1))),
    /** To another line. What was typed into this one is kept first. */
    goTo: (next: LineEntry | undefined) => {
      if (draft.read() && next) return keepTyped((now) => choose(now[placeOf(now, next)]));
      // What was done to a line can be taken back there; one that was removed is nowhere.
      setDeed(deed?.isRemoval ? deed : null);
      choose(next);
    },
    /** The same when the work is ended. */
    end: (then: () => void) => {
      const leave = () => {
        draft.set(null);
        then();
      };
      if (draft.read() && line) keepTyped(leave, () => setRefused(() => leave));
      else leave();
    },
    split: (caret: number) => {
      const parts = line && !isGone() && splitLine(draft.read() ?? line, caret);
      if (line && parts) keep([seen() ?? line], parts, { saying: 'Line split.', goOn: stayAt(parts[0]) });
    },
    join: () => {
      const next = lines[at + 1];
      const joined = line && next && !isGone() && joinLines(draft.read() ?? line, next);
      if (joined) keep([seen() ?? line, next], [joined], { saying: 'Lines joined.', goOn: stayAt(joined) });
    },
    remove: () => {
      const stays = lines[at + 1] ?? lines[at - 1];
      if (isGone()) forget();
      else if (line) keep([line], [], { saying: 'Line removed.', goOn: (now) => choose(now[placeOf(now, stays ?? null)]) });
    },
    deed,
    takeBack: (was: LineEntry) => !isGone() && was.correction && takeBack(was.correction, stayAt(was)),
    /** What was done last, wherever that was. What is being typed elsewhere stays. */
    takeBackLast: () => deed && takeBack(deed.correction, (now) => draft.read() === null && stayAt(deed.line)(now)),
  };
}

interface LinesProps {
  lines: readonly LineEntry[];
  film: FilmKeys;
  work: ReturnType<typeof useLineWork>;
}

function Lines({ lines, film, work }: LinesProps) {
  const { at, line, chosen } = work;
  const playing = useSyncExternalStore(film.clock.subscribe, () => playingAt(lines, film.clock.read()));
  /** What would go back together with the line, which is asked about first. */
  const [asksFor, setAsksFor] = useState<LineEntry | null>(null);
  const undo = () => {
    if (line && line.together > 1) setAsksFor(line);
    else if (line) work.takeBack(line);
  };
  const press = (event: KeyboardEvent) => {
    const acts: Readonly<Partial<Record<Act, () => void>>> = {
      play: film.togglePlay,
      back: () => film.seek(Math.max(0, film.clock.read() - backSeconds)),
      next: () => work.goTo(lines[at + 1]),
      previous: () => work.goTo(lines[at - 1]),
      doubtful: () => work.goTo(lines[nextDoubtfulIn(lines, at)]),
      join: work.join,
      undo: () => (work.deed ? work.takeBackLast() : undo()),
    };
    const act = actOf(event);
    const does = act && acts[act];
    if (!does) return;
    event.preventDefault();
    does();
  };
  /** Heard here, so that rows which stay as they are need not be drawn anew when another line is worked on. */
  const pick = ({ target }: MouseEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null;
    if (row) work.goTo(lines[Number(row.dataset.line)]);
  };
  const acts = {
    onBegin: work.begin,
    onAccept: work.accept,
    onSplit: work.split,
    onRemove: work.remove,
    onUndo: undo,
    onForget: work.forget,
    onJoin: line && lines[at + 1] && work.join,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside, wherever among them the focus is
    <div className="edit-lines-list" onKeyDown={press} onClick={pick}>
      <p className="sr-only" role="status">
        {work.said}
      </p>
      <ol>
        {lines.map((one, n) => (
          <li key={`${one.startMs} ${one.endMs} ${one.text}`} aria-current={n === playing || undefined}>
            {n === at ? (
              <LineForm
                key={chosen?.startMs ?? one.startMs}
                line={one}
                seen={chosen ?? one}
                draft={work.draft}
                clock={film.clock}
                fault={work.fault}
                acts={acts}
              />
            ) : (
              <LineRow line={one} n={n} />
            )}
          </li>
        ))}
      </ol>
      {asksFor && (
        <Confirm
          question={`Undo all ${asksFor.together}?`}
          action="Undo all"
          onConfirm={() => {
            setAsksFor(null);
            work.takeBack(asksFor);
          }}
          onCancel={() => setAsksFor(null)}
        >
          <p>They were changed together with this line. Each of them goes back to what it said before.</p>
        </Confirm>
      )}
    </div>
  );
}
