import type { TextRange } from '#web/components/text/mark-text.ts';
import { MarkedText } from '#web/components/text/marked-text.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { formatTimeCode } from '../time-code.ts';
import type { VideoMoment } from '../video-moments.ts';

interface TimelineLineProps {
  moment: VideoMoment;
  ranges: readonly TextRange[];
  isCurrent: boolean;
  isNewSpeaker: boolean;
  index: number;
  topPx: number;
  measure: (line: HTMLElement | null) => void;
  onPick: (seconds: number) => void;
}

/** A spoken or written line. A click seeks there, unless it ends a selection of text. */
export function TimelineLine({ moment, ranges, isCurrent, isNewSpeaker, index, topPx, measure, onPick }: TimelineLineProps) {
  const pickUnlessSelecting = () => {
    if (window.getSelection()?.isCollapsed !== false) onPick(moment.startInSeconds);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the time code is a button that does the same
    <li
      ref={measure}
      data-index={index}
      className={isCurrent ? 'tline cur' : 'tline'}
      aria-current={isCurrent || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
      onClick={pickUnlessSelecting}
    >
      <button type="button" className="tc">
        <time dateTime={`PT${Math.floor(moment.startInSeconds)}S`}>{formatTimeCode(moment.startInSeconds)}</time>
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
          <p>
            <MarkedText text={moment.text} ranges={ranges} />
          </p>
        </div>
      )}
    </li>
  );
}
