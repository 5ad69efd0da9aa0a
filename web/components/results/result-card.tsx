import { lazy, Suspense, useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { limits } from '#contract/limits.ts';
import { matchKinds } from '#contract/match-kinds.ts';
import { formatTimeCode, spellTime } from '#web/embed/time-code.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { FrameImage } from '../frame-image.tsx';
import { MarkedText } from '../text/marked-text.tsx';
import { wholeMinutes } from '../text/whole-minutes.ts';
import { useKept } from '../use-kept.ts';
import { bestMoments, type FoundMoment } from './found-moment.ts';
import { kindIcon } from './kind-icon.ts';
import { MatchStrip } from './match-strip.tsx';
import { type Result, recordedDate } from './result.ts';

/** Only for those who may not watch: in an archive that keeps its words from them, or who have read their share of a film. */
const LockedMoments = lazy(() => import('./locked-moments.tsx').then((module) => ({ default: module.LockedMoments })));

/** A video with the moments that answer the query: frame and strip left, moments right. */
export function ResultCard({ video, query }: { video: Result; query: string }) {
  const [hot, setHot] = useState<FoundMoment | null>(null);
  const titleMarks = video.moments.find(({ kind, text }) => kind === 'Title' && text === video.name)?.ranges ?? [];
  const titleId = useId();
  const recorded = recordedDate(video.recorded);
  return (
    <article className="result" aria-labelledby={titleId}>
      <div>
        <Link
          className={`frame ${video.isTall ? 'frame-tall' : ''}`}
          to={paths.video(video.id, { query })}
          tabIndex={-1}
          aria-hidden="true"
        >
          <FrameImage videoId={video.id} thumbnailId={frameOf(video, hot)} lazy />
          {hot ? <FoundBubble video={video} moment={hot} /> : <span className="frame-badge">{wholeMinutes(video.durationInSeconds)}</span>}
        </Link>
        {video.reading !== 'counts' && <MatchStrip video={video} query={query} hot={hot} onHot={setHot} />}
      </div>
      <div>
        <h2 id={titleId}>
          <Link to={paths.video(video.id, { query })}>
            <MarkedText text={video.name} ranges={titleMarks} />
          </Link>
        </h2>
        <p className="result-meta">
          {wholeMinutes(video.durationInSeconds)}, {moments(video.momentsTotal)}{' '}
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
  const [isExpanded, setExpanded] = useKept(['moments', useLocation().search, video.id]);
  const shown = bestMoments(video.moments, isExpanded ? video.moments.length : limits.matchesPerCard);
  const hidden = video.moments.length - limits.matchesPerCard;
  return (
    <>
      <ol>
        {shown.map((moment) => (
          <li key={`${moment.seconds} ${moment.kind} ${moment.text}`}>
            <MomentRow videoId={video.id} moment={moment} isLocked={video.reading === 'locked'} query={query} onHot={onHot} />
          </li>
        ))}
      </ol>
      {hidden > 0 && (
        <button type="button" className="expand" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          <Icon name={isExpanded ? 'chevron-up' : 'chevron-down'} size={16} />
          {isExpanded ? 'Show fewer moments' : `${hidden.toLocaleString('en')} more ${hidden === 1 ? 'moment' : 'moments'}`}
        </button>
      )}
      {isExpanded && video.momentsWithheld === 0 && video.momentsTotal > video.moments.length && (
        <p className="result-meta">
          The best {video.moments.length} of {moments(video.momentsTotal)} are shown.
        </p>
      )}
    </>
  );
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

function moments(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'moment' : 'moments'}`;
}

interface MomentRowProps {
  videoId: string;
  moment: FoundMoment;
  /** Whether this visitor may know that it is there, and no more. */
  isLocked: boolean;
  query: string;
  onHot: (moment: FoundMoment | null) => void;
}

/** One found moment: the whole row opens the video at its second. */
function MomentRow({ videoId, moment, isLocked, query, onHot }: MomentRowProps) {
  const { seconds, kind, text, ranges } = moment;
  const show = () => onHot(moment);
  const hide = () => onHot(null);
  return (
    <Link
      className="moment"
      to={paths.video(videoId, { seconds, query })}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      <time className="tc" dateTime={isoDuration(seconds)}>
        <span aria-hidden="true">{formatTimeCode(seconds)}</span>
        <span className="sr-only">{spellTime(seconds)}</span>
      </time>
      <Icon name={kindIcon(kind)} />
      <span className="moment-text">
        <span className="sr-only">{matchKinds[kind].wording}: </span>
        {isLocked ? <Locked /> : <MarkedText text={text} ranges={ranges} cut />}
      </span>
    </Link>
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

function isoDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  return `PT${Math.floor(whole / 3600)}H${Math.floor(whole / 60) % 60}M${whole % 60}S`;
}
