import { Link } from 'react-router';
import { matchKinds } from '#contract/match-kinds.ts';
import { formatTimeCode, spellTime } from '#web/embed/time-code.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { MarkedText } from '../text/marked-text.tsx';
import type { FoundMoment } from './found-moment.ts';
import { kindIcon } from './kind-icon.ts';

interface MomentRowProps {
  videoId: string;
  moment: FoundMoment;
  /** Whether this visitor may know that it is there, and no more. */
  isLocked: boolean;
  query: string;
  onHot: (moment: FoundMoment | null) => void;
}

/** One found moment: the whole row opens the video at its second. */
export function MomentRow({ videoId, moment, isLocked, query, onHot }: MomentRowProps) {
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
