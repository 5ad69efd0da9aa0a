/*
 * A found video: its card here, what result and found-moment make of an answer for it, and the strip of its ticks (match-strip).
 */
import { type MouseEvent, Suspense, useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { limits } from '#contract/limits.ts';
import { matchKinds } from '#contract/match-kinds.ts';
import { formatTimeCode, spellTime } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { FrameImage } from '../frame-image.tsx';
import { noteRow, readNotedRow } from '../left-list.ts';
import { MarkedText, rooms } from '../text/marked-text.tsx';
import { formatWholeMinutes } from '../text/whole-minutes.ts';
import { useKept } from '../use-kept.ts';
import { useLater } from '../use-later.ts';
import { citeByKey } from './citing.ts';
import { chooseBestMoments, type FoundMoment, leadOf } from './found-moment.ts';
import { kindIconOf } from './kind-icon.ts';
import { MatchStrip } from './match-strip.tsx';
import { formatRecordedDate, type Result } from './result.ts';

/** Only for those who may not watch: in an archive that keeps its words from them, or who have read their share of a film. */
const LockedMoments = makeLazyPart(() => import('./locked-moments.tsx').then((part) => part.LockedMoments));

/** A video with the moments that answer the query: frame and strip left, moments right. */
export function ResultCard({ video, query }: { video: Result; query: string }) {
  const [hot, setHot] = useState<FoundMoment | null>(null);
  const posterId = leadOf(video.moments)?.thumbnailId ?? video.posterId;
  const titleMarks = video.moments.find(({ kind, text }) => kind === 'Title' && text === video.name)?.ranges ?? [];
  const titleId = useId();
  const recorded = formatRecordedDate(video.recorded);
  return (
    <article className="result" aria-labelledby={titleId}>
      <div>
        <Link
          className={`frame ${video.isTall ? 'frame-tall' : ''}`}
          to={paths.video(video.id, { query })}
          tabIndex={-1}
          aria-hidden="true"
        >
          <FrameImage videoId={video.id} thumbnailId={hot ? frameOf(video, hot) : posterId} lazy />
          {hot ? (
            <FoundBubble video={video} moment={hot} />
          ) : (
            <span className="frame-badge">{formatWholeMinutes(video.durationInSeconds)}</span>
          )}
        </Link>
        {video.reading !== 'counts' && <MatchStrip video={video} query={query} hot={hot} onHot={setHot} />}
      </div>
      <div>
        <h2 id={titleId}>
          <Link to={paths.video(video.id, { query })} onKeyDown={(event) => citeByKey(event, { video })}>
            <MarkedText text={video.name} ranges={titleMarks} />
          </Link>
        </h2>
        <p className="result-meta">
          {formatWholeMinutes(video.durationInSeconds)}, {wordMoments(video.momentsTotal)}{' '}
          {video.isTranscriptOnly && <span className="result-only">Transcript only</span>}{' '}
          {video.isByMeaning && <span className="result-only">Closest by meaning</span>}{' '}
          {recorded && <span className="result-recorded">{recorded}</span>} {video.lacks.length > 0 && <Lacks words={video.lacks} />}
        </p>
        {video.moments.length > 0 && <Moments video={video} query={query} onHot={setHot} />}
        {(video.reading || video.momentsWithheld > 0) && video.momentsTotal > 0 && (
          <Suspense>
            <LockedMoments video={video} />
          </Suspense>
        )}
      </div>
    </article>
  );
}

/** What was asked for that the video holds nowhere. */
function Lacks({ words }: { words: string[] }) {
  return (
    <span className="result-lacks">
      without:{' '}
      {words.map((word, index) => (
        <span key={word}>
          {index > 0 && ', '}
          <s>{word}</s>
        </span>
      ))}
    </span>
  );
}

function Moments({ video, query, onHot }: { video: Result; query: string; onHot: (moment: FoundMoment | null) => void }) {
  // The address says which list this is: opened cards are still open for whoever comes back to it.
  const [steps, keepSteps] = useKept(['moments', useLocation().search, video.id]);
  const shownAt = (step: number) => chooseBestMoments(video.moments, limits.matchesPerCard + step * limits.matchesPerStep);
  const shown = shownAt(steps);
  const showMore = () => {
    // Of what a step brings, the first takes the focus.
    const firstNew = shownAt(steps + 1).find((moment) => !shown.includes(moment));
    noteRow(firstNew && nameRow(video.id, firstNew));
    keepSteps(steps + 1);
  };
  const showFewer = (event: MouseEvent) => {
    focusRow(event.currentTarget.closest('article')?.querySelector('a.moment'));
    keepSteps(0);
  };
  const isAll = shown.length === video.moments.length;
  return (
    <>
      <ol>
        {shown.map((moment, place) => (
          <li
            key={`${moment.seconds} ${moment.kind} ${moment.text}`}
            className={place === 0 && shown.length > 1 ? 'moment-lead' : undefined}
          >
            <MomentRow video={video} moment={moment} query={query} onHot={onHot} />
          </li>
        ))}
      </ol>
      {!isAll && (
        <button type="button" className="expand" aria-expanded={false} onClick={showMore}>
          <Icon name="chevron-down" size={16} />
          {wordMoreMoments(video.moments.length - shown.length)}
        </button>
      )}
      {steps > 0 && (
        <button type="button" className="expand" aria-expanded={true} onClick={showFewer}>
          <Icon name="chevron-up" size={16} />
          Show fewer moments
        </button>
      )}
      {steps > 0 && isAll && video.momentsWithheld === 0 && video.momentsTotal > video.moments.length && (
        <p className="result-meta">
          The best {video.moments.length} of {wordMoments(video.momentsTotal)} are shown.
        </p>
      )}
    </>
  );
}

/** `5 more moments`, `20 of 96 more moments`: what a step brings. */
function wordMoreMoments(hidden: number): string {
  const { matchesPerStep: step } = limits;
  return `${hidden > step ? `${step} of ` : ''}${hidden} more ${hidden === 1 ? 'moment' : 'moments'}`;
}

/** What tells a row of the list from the others: the lines of a picture stand at one second. */
function nameRow(videoId: string, { seconds, kind, text }: FoundMoment): string {
  return `${videoId} ${seconds} ${kind} ${text}`;
}

/** Whoever comes back from a moment stands on its row again, and whoever shows more on the first of them; not whoever is elsewhere by now. */
function focusNotedRow(row: HTMLElement | null, name: string): void {
  if (!row || name !== readNotedRow()) return;
  noteRow(undefined);
  if (!document.activeElement?.matches('body, h1, .expand')) return;
  if (document.activeElement.matches('.expand')) focusRow(row);
  else row.focus({ preventScroll: true });
}

/** Its `scroll-margin` keeps it clear of the header. */
function focusRow(row: HTMLElement | null | undefined): void {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** Stays inside the frame at both of its ends. */
function FoundBubble({ video, moment }: { video: Result; moment: FoundMoment }) {
  const fraction = video.durationInSeconds > 0 ? Math.min(1, moment.seconds / video.durationInSeconds) : 0;
  return (
    <span className="frame-bubble frame-bubble-found" style={{ left: `clamp(36px, ${fraction * 100}%, calc(100% - 36px))` }}>
      {formatTimeCode(moment.seconds)}
    </span>
  );
}

/** The frame of the moment itself; else the still nearest to it. */
function frameOf(video: Result, moment: FoundMoment | null): string | null {
  if (!moment) return video.posterId;
  if (moment.thumbnailId) return moment.thumbnailId;
  const distance = (still: { seconds: number }) => Math.abs(still.seconds - moment.seconds);
  return video.stills.toSorted((one, other) => distance(one) - distance(other))[0]?.thumbnailId ?? video.posterId;
}

function wordMoments(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'moment' : 'moments'}`;
}

interface MomentRowProps {
  video: Result;
  moment: FoundMoment;
  query: string;
  onHot: (moment: FoundMoment | null) => void;
}

const AroundMoment = makeLazyPart(() => import('./around-moment.tsx').then((part) => part.AroundMoment));
/** Whoever walks from row to row asks for nothing on the way. */
const restsForMs = 250;

/** One found moment: the whole row opens the video at its second, `y` copies it as a citation, and with the focus it shows what is around it. */
function MomentRow({ video, moment, query, onHot }: MomentRowProps) {
  const { seconds, kind, text, ranges, isRough, isEstimated } = moment;
  const [rests, setRests] = useState(false);
  const later = useLater(restsForMs);
  const show = () => onHot(moment);
  const hide = () => onHot(null);
  // The list never moves under a pressed pointer: a button that moves away from it is not clicked.
  const settle = (next: boolean, afterMs = restsForMs) =>
    later.begin(() => (document.querySelector(':active') ? settle(next) : setRests(next)), afterMs);
  const focus = () => {
    show();
    settle(true);
  };
  const blur = () => {
    hide();
    // Whether anything is pressed is not known before the focus has moved.
    settle(false, 0);
  };
  const name = nameRow(video.id, moment);
  // Whether this visitor may know that it is there, and no more.
  const isLocked = video.reading === 'locked';
  return (
    <div ref={later.ref}>
      <Link
        ref={(row) => focusNotedRow(row, name)}
        className="moment"
        to={paths.video(video.id, { seconds, query })}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={focus}
        onBlur={blur}
        onKeyDown={(event) => citeByKey(event, { video, moment })}
        onClick={() => noteRow(name)}
      >
        <time
          className={isEstimated ? 'tc tc-estimated' : 'tc'}
          dateTime={toIsoDuration(seconds)}
          title={isEstimated ? 'Approximate: this line has no word timings' : undefined}
        >
          <span aria-hidden="true">{formatTimeCode(seconds)}</span>
          <span className="sr-only">
            {isEstimated && 'about '}
            {spellTime(seconds)}
          </span>
        </time>
        <Icon name={kindIconOf(kind)} />
        <span className="moment-text">
          <span className="sr-only">{matchKinds[kind].wording}: </span>
          {isLocked ? (
            <Locked />
          ) : (
            <span lang={(kind === 'Transcript' && video.language) || undefined}>
              <MarkedText text={text} ranges={ranges} cut={rooms.card} />
            </span>
          )}
          {isRough && <small className="moment-rough"> rough</small>}
        </span>
      </Link>
      {rests && !isLocked && (
        <Suspense>
          <AroundMoment videoId={video.id} moment={moment} />
        </Suspense>
      )}
    </div>
  );
}

/** A bar in the place of words: the same for every moment, so that it tells nothing of them. */
function Locked() {
  return (
    <span className="moment-locked">
      <Icon name="lock" size={16} />
      <span className="sr-only">locked</span>
    </span>
  );
}

function toIsoDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  return `PT${Math.floor(whole / 3600)}H${Math.floor(whole / 60) % 60}M${whole % 60}S`;
}
