import { isComposing } from '#web/ui/letter-keys.tsx';
import '#web/styles/fields.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, useId, useRef, useState } from 'react';
import type { Line, LineEntry } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { linesOf, undoCorrection } from '#web/api/corrections.ts';
import { followRevision } from '#web/api/films.ts';
import { queryClient } from '#web/api/query-client.ts';
import { lineOf } from '#web/components/text/replace-in-lines.ts';
import { formatTimeCode, readTime } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type createStore, type Store, useStore } from '#web/ui/store.ts';
import { actOf, isAtTimeOf, isMac, isSameLine, writeTime } from './edited-lines.ts';

interface LineActs {
  /** Before the first letter is typed: what stands there now is what was seen. */
  onBegin: () => void;
  onAccept: () => void;
  /** Between two letters of what was typed. */
  onSplit: (caret: number) => void;
  onRemove: () => void;
  onUndo: () => void;
  onForget: () => void;
  /** Undefined for the last line. */
  onJoin: (() => void) | undefined;
}

interface LineFormProps {
  line: LineEntry;
  /** What was there when the line was chosen. */
  seen: Line;
  /** What was typed, null while it is the line as it is. */
  draft: ReturnType<typeof createStore<Line | null>>;
  clock: Store<number>;
  fault: string | undefined;
  acts: LineActs;
}

/** The line that is being worked on: its words, its times and who speaks. */
export function LineForm({ line, seen, draft, clock, fault, acts }: LineFormProps) {
  const id = useId();
  const typed = useStore(draft) ?? lineOf(line);
  const edit = (more: Partial<Line>) => {
    if (draft.read() === null) acts.onBegin();
    const next = { ...typed, ...more };
    draft.set(isSameLine(next, line) ? null : next);
  };
  const form = useRef<HTMLDivElement>(null);
  const [noTime, setNoTime] = useState<string | null>(null);
  const accept = () => {
    const wrong = form.current?.querySelector<HTMLInputElement>('input.tc[aria-invalid]');
    setNoTime(wrong?.value ?? null);
    if (wrong) wrong.focus();
    else acts.onAccept();
  };
  const says = noTime === null ? fault : `“${noTime}” is not a time. Write it like ${writeTime(typed.startMs)}.`;
  const isOther = useStore(draft) !== null && !isSameLine(seen, line);
  const { replaces, correction, together, review } = line;
  const press = (event: KeyboardEvent) => {
    const nowMs = Math.round(1_000 * clock.read());
    const act = actOf(event);
    if (act === 'begins') edit({ startMs: nowMs });
    else if (act === 'ends') edit({ endMs: nowMs });
    else if (event.key === 'Escape') acts.onForget();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields inside
    <div ref={form} className="edit-line-form" onKeyDown={press} onChange={() => setNoTime(null)}>
      <label className="sr-only" htmlFor={id}>
        Transcript line
      </label>
      <textarea
        ref={takeFocus}
        id={id}
        className="field-input"
        rows={2}
        maxLength={2 * limits.lineMaxCodePoints}
        value={typed.text}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={({ target }) => edit({ text: target.value.replaceAll('\n', ' ') })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.altKey || isComposing(event)) return;
          event.preventDefault();
          if (event.shiftKey) acts.onSplit(event.currentTarget.selectionStart);
          else accept();
        }}
      />
      {says && (
        <p className="field-message" id={`${id}-fault`} role="alert">
          <Icon name="circle-alert" size={16} />
          {says}
        </p>
      )}
      {isOther && !says && (
        <p className="field-message" role="alert">
          <Icon name="circle-alert" size={16} />
          {isAtTimeOf(seen, line)
            ? `Someone else has changed this line. It now says: “${line.text}”`
            : 'Someone else has removed this line. Accept adds it again, as you typed it.'}
        </p>
      )}
      {replaces !== null && (
        <p className="edit-line-before">
          instead of <bdi>“{replaces}”</bdi>
        </p>
      )}
      <div className="edit-line-facts">
        <TimeField label="Begins" ms={typed.startMs} onRead={(startMs) => edit({ startMs })} onEnter={accept} />
        <TimeField label="Ends" ms={typed.endMs} onRead={(endMs) => edit({ endMs })} onEnter={accept} />
        <label>
          Speaker
          <input
            value={typed.speaker ?? ''}
            maxLength={2 * limits.speakerMaxCodePoints}
            onChange={({ target }) => edit({ speaker: target.value === '' ? null : target.value })}
            onKeyDown={(event) => event.key === 'Enter' && !isComposing(event) && accept()}
          />
        </label>
      </div>
      <div className="edit-line-acts">
        <Button look="primary" size="small" onClick={accept}>
          Accept
        </Button>
        {acts.onJoin && (
          <Button look="outline" size="small" onClick={acts.onJoin}>
            Join with next
          </Button>
        )}
        <Button look="outline" size="small" onClick={acts.onRemove}>
          Remove
        </Button>
        {correction !== null && (
          <Button look="outline" size="small" title={review ?? undefined} onClick={acts.onUndo}>
            {together > 1 ? `Undo all ${together}` : 'Undo'}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What somebody else has just changed. */
export function News({ videoId }: { videoId: string }) {
  const { data } = useQuery(followRevision(videoId));
  if (!data?.news) return null;
  return (
    <p className="edit-lines-news" role="status">
      {data.news.sentence}
    </p>
  );
}

/** The line that was removed last: no row of it is left by which it could be brought back. */
export function Removed({ line, fault, onUndo }: { line: Line; fault: string | false | undefined; onUndo: () => void }) {
  return (
    <div className="edit-lines-news">
      Line removed: <bdi>“{line.text}”</bdi>{' '}
      <Button look="outline" size="small" aria-label="Undo removing this line" onClick={onUndo}>
        Undo
      </Button>
      {fault && <p role="alert">{fault}</p>}
    </div>
  );
}

/** What was done last, as long as one press takes it back. */
interface Deed {
  readonly correction: number;
  readonly line: Line;
  readonly isRemoval: boolean;
}

/** With the lines that there are then. */
type GoOn = (now: readonly LineEntry[]) => void;

export interface Kept {
  /** Read aloud. */
  readonly saying: string;
  /** What comes when the archive has kept it, with the lines that there are then. */
  readonly goOn: GoOn;
  readonly onRefused?: (() => void) | undefined;
}

/** Takes a correction back, and goes on with the lines that there are then; `begin` hears that it begins, and may say more in the end. */
export function useTakingBack(videoId: string, begin: (goOn: GoOn) => GoOn) {
  const [deed, setDeed] = useState<Deed | null>(null);
  const undo = useMutation({
    mutationFn: (correction: number) => undoCorrection(videoId, correction),
    // What is taken back already, or gone, stands in the way of no other.
    onError: (reason) => reason instanceof CallFailed && reason.code === 'conflict' && setDeed(null),
  });
  const takeBack = (correction: number, goOn: GoOn) => {
    if (undo.isPending) return;
    const then = begin(goOn);
    const onSuccess = async () => {
      const now = await queryClient.fetchQuery(linesOf(videoId));
      setDeed((last) => (last?.correction === correction ? null : last));
      then(now);
    };
    undo.mutate(correction, { onSuccess });
  };
  return { deed, setDeed, undo, takeBack };
}

interface TimeFieldProps {
  label: string;
  ms: number;
  onRead: (ms: number) => void;
  onEnter: () => void;
}

/** A time to be typed; while what stands there is none, the line keeps the one that it had. */
function TimeField({ label, ms, onRead, onEnter }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  /** Before the first letter was typed: the beginnings of what is no time are none either. */
  const [beforeMs, setBeforeMs] = useState(ms);
  const text = typed !== null && (readTime(typed) ?? ms) === ms ? typed : writeTime(ms);
  return (
    <label>
      {label}
      <input
        className="tc"
        value={text}
        aria-invalid={readTime(text) === null || undefined}
        onChange={({ target }) => {
          if (typed === null) setBeforeMs(ms);
          setTyped(target.value);
          onRead(readTime(target.value) ?? (typed === null ? ms : beforeMs));
        }}
        // What is no time stays, to be mended.
        onBlur={() => readTime(text) !== null && setTyped(null)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      />
    </label>
  );
}

/** Whoever goes from line to line types on at once. */
function takeFocus(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.closest('li')?.scrollIntoView({ block: 'nearest' });
}

/** A line that is not being worked on. */
export const LineRow = memo(function LineRow({ line, n }: { line: LineEntry; n: number }) {
  const { startMs, text, speaker, review, isDoubtful } = line;
  return (
    <button type="button" className="edit-line" data-line={n}>
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

const keys: readonly [key: string, does: string][] = [
  ['Enter', 'Accept, next line'],
  ['Alt K', 'Play, pause'],
  ['Alt J', 'Back 2 seconds'],
  ['Alt N', 'Next doubtful line'],
  ['Alt ↓ ↑', 'Next, previous line'],
  ['Shift Enter', 'Split at the cursor'],
  ['Alt M', 'Join with the next'],
  ['Alt [ ]', 'Begins, ends now'],
  ['Alt U', 'Undo'],
  ['Esc', 'Discard typing'],
];

/** What can be done by the keyboard, with the keys that this machine has. */
export function Keys() {
  return (
    <details className="edit-lines-keys">
      <summary>Keyboard shortcuts</summary>
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{isMac ? key.replace('Alt', 'Control Option') : key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      {isMac && <p>VoiceOver uses Control Option itself: press Control Option Tab first, and the next keys reach this page.</p>}
    </details>
  );
}
