import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Provenance, TextRange } from '#contract/video-service/answers.ts';
import { MarkedText } from '#web/components/text/marked-text.tsx';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import type { Store } from '#web/ui/store.ts';
import { indexAtTime, type VideoMoment } from '../video-moments.ts';
import { Confidence, ProvenanceBadge } from './how-known.tsx';
import { pointingAt } from './pointing-at.ts';

type Kinds = 'everything' | 'speech' | 'text';

const kindsShown: Record<Kinds, readonly VideoMoment['kind'][]> = {
  everything: ['Transcript', 'Ocr'],
  speech: ['Transcript'],
  text: ['Ocr'],
};

const wholeUpToLines = 300;
const linesBeside = 12;

interface TimelineTabProps {
  moments: readonly VideoMoment[];
  /** Why nothing is written down of what is said. */
  noTranscript: string | undefined;
  /** What to mark in each line, by its key. */
  marks: ReadonlyMap<string, readonly TextRange[]>;
  clock: Store<number>;
  pick: (seconds: number) => void;
  /** Outlines a written text in the picture; null no more. */
  point: (text: string | null) => void;
}

/** What is said and written, in time order. Follows playback until somebody scrolls by hand. */
export function TimelineTab({ moments, noTranscript, marks, clock, pick, point }: TimelineTabProps) {
  const [kinds, setKinds] = useState<Kinds>('everything');
  const [isFollowing, setIsFollowing] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const lines = moments.filter((moment) => kindsShown[kinds].includes(moment.kind));
  const whyUnheard = kinds === 'text' ? undefined : noTranscript;
  const provenances = provenancesToTell(lines);
  const current = useSyncExternalStore(clock.subscribe, () => indexAtTime(lines, clock.read()));
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    // The line of now stands near the top, where a panel that goes on below the screen shows it, with what was said before.
    scrollPaddingStart: Math.max(0, Math.round(window.innerHeight / 8) - 40),
    getItemKey: (index) => lines[index]?.id ?? index,
    // Short ones stand whole in the document, so that the browser's own search finds everything.
    overscan: lines.length <= wholeUpToLines ? wholeUpToLines : linesBeside,
  });
  const toCurrent = useCallback(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: 'start' });
  }, [virtual, current]);
  // Playback lives in another frame: its clock moves the list, no event of this document does.
  useEffect(() => {
    if (isFollowing) toCurrent();
  }, [isFollowing, toCurrent]);

  const stopFollowing = () => setIsFollowing(false);
  const stopOnKey = (event: KeyboardEvent) => {
    if (['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key)) stopFollowing();
  };
  /** Its own scrollbar: whatever stands in the list is another target. */
  const stopOnBar = ({ target, currentTarget }: PointerEvent) => target === currentTarget && stopFollowing();
  /** Whoever goes through the lines by the keyboard keeps the line that they are at. */
  const stopOnFocus = ({ target, relatedTarget }: FocusEvent) => {
    if (target.matches(':focus-visible') && relatedTarget !== back.current) stopFollowing();
  };
  /** The button goes, and hands its focus to the line that it leads to. */
  const backToNow = () => {
    setIsFollowing(true);
    const line = scroller.current?.querySelector<HTMLElement>('[aria-current] button') ?? scroller.current;
    line?.focus({ preventScroll: true });
  };
  const choose = (seconds: number) => {
    setIsFollowing(true);
    pick(seconds);
  };
  return (
    <div className="pb pb-lines" id="tab-panel" role="tabpanel" aria-labelledby="tab-timeline">
      <div className="tools">
        <Segmented
          label="Lines shown"
          value={kinds}
          onChange={setKinds}
          options={[
            { value: 'everything', label: 'Everything' },
            { value: 'speech', label: 'Speech' },
            { value: 'text', label: 'On-screen text' },
          ]}
        />
      </div>
      {lines.length === 0 ? (
        <p className="panel-note">{whyUnheard ?? emptySentence[kinds]}</p>
      ) : (
        <section
          className="lines"
          ref={scroller}
          tabIndex={-1}
          aria-label="Lines"
          onWheel={stopFollowing}
          onTouchMove={stopFollowing}
          onKeyDown={stopOnKey}
          onPointerDown={stopOnBar}
          onFocus={stopOnFocus}
        >
          <ol style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const moment = lines[item.index];
              if (!moment) return null;
              return (
                <TimelineLine
                  key={item.key}
                  moment={moment}
                  provenance={provenances.get(moment.id)}
                  ranges={marks.get(moment.line) ?? []}
                  isCurrent={item.index === current}
                  isNewSpeaker={moment.speaker !== null && moment.speaker !== lines[item.index - 1]?.speaker}
                  topPx={item.start}
                  index={item.index}
                  measure={virtual.measureElement}
                  onPick={choose}
                  onPoint={point}
                />
              );
            })}
          </ol>
          {whyUnheard && <p className="panel-note">{whyUnheard}</p>}
        </section>
      )}
      {!isFollowing && (
        <Button ref={back} look="primary" size="small" className="sync" onClick={backToNow}>
          <Icon name="corner-down-left" size={16} />
          Back to now
        </Button>
      )}
    </div>
  );
}

/** By the id of a line: all that people made of one, that it is rough, and a machine's where it begins to speak. */
function provenancesToTell(lines: readonly VideoMoment[]): Map<string, Provenance | undefined> {
  const last = new Map<VideoMoment['kind'], Provenance | undefined>();
  return new Map(
    lines.map(({ id, kind, provenance }) => {
      const isToldAlready = provenance === 'machine' && last.get(kind) === provenance;
      last.set(kind, provenance);
      return [id, isToldAlready ? undefined : provenance];
    }),
  );
}

const emptySentence: Record<Kinds, string> = {
  everything: 'Nothing has been recognised in this video yet.',
  speech: 'No speech has been recognised in this video.',
  text: 'No on-screen text has been recognised in this video.',
};

interface TimelineLineProps {
  moment: VideoMoment;
  /** What to tell of where it comes from. */
  provenance: Provenance | undefined;
  ranges: readonly TextRange[];
  isCurrent: boolean;
  isNewSpeaker: boolean;
  index: number;
  topPx: number;
  measure: (line: HTMLElement | null) => void;
  onPick: (seconds: number) => void;
  onPoint: (text: string | null) => void;
}

/** A spoken or written line. A click seeks there, unless it ends a selection of text; its button seeks always. */
function TimelineLine({ moment, provenance, ranges, isCurrent, isNewSpeaker, index, topPx, measure, onPick, onPoint }: TimelineLineProps) {
  const pickUnlessSelecting = () => {
    if (window.getSelection()?.isCollapsed !== false) onPick(moment.startInSeconds);
  };
  const pickAtOnce = (event: MouseEvent) => {
    event.stopPropagation();
    onPick(moment.startInSeconds);
  };
  const pointing = moment.kind === 'Ocr' ? pointingAt(moment.text, onPoint) : {};
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the time code is a button that does the same
    <li
      ref={measure}
      data-index={index}
      className={isCurrent ? 'tline cur' : 'tline'}
      aria-current={isCurrent || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
      onClick={pickUnlessSelecting}
      {...pointing}
    >
      <button type="button" className="tc" onClick={pickAtOnce}>
        <time dateTime={`PT${Math.floor(moment.startInSeconds)}S`}>{formatTimeCode(moment.startInSeconds)}</time>
        <ProvenanceBadge provenance={provenance} />
      </button>
      {moment.kind === 'Ocr' ? (
        <p className="tocr">
          <Icon name="scan-text" size={16} />
          <span className="sr-only">On-screen text: </span>
          <q>
            <MarkedText text={moment.text} ranges={ranges} />
          </q>
        </p>
      ) : (
        <div>
          {isNewSpeaker && <p className="sp1">{moment.speaker}</p>}
          <p lang={moment.language ?? undefined}>
            <MarkedText text={moment.text} ranges={ranges} />
          </p>
        </div>
      )}
      <Confidence of={moment.confidence} provenance={moment.provenance} />
    </li>
  );
}
