import { createPath, Link, useLocation } from 'react-router';
import type { MatchKind } from '#contract/match-kinds.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { openedFrom } from '../sign-in-origin.ts';
import { kindIconOf } from './kind-icon.ts';
import type { Result } from './result.ts';
import './locked-moments.css';

const kindWords: Readonly<Record<MatchKind, string>> = {
  Transcript: 'spoken',
  Ocr: 'written',
  Title: 'by title',
  Face: 'by person',
  Annotations: 'by label',
  Brand: 'by brand',
  Owner: 'by owner',
};

/** What is told of a video's moments to somebody who may not read them, and how they get to. */
export function LockedMoments({ video }: { video: Result }) {
  return (
    <>
      {isCountedOnly(video) && (
        <ul className="locked-counts">
          {video.momentCounts.map(([kind, count]) => (
            <li key={kind}>
              <Icon name={kindIconOf(kind)} />
              {count.toLocaleString('en')} {kindWords[kind]}
            </li>
          ))}
        </ul>
      )}
      <p className="locked-way">
        <Icon name="lock" size={16} />
        <span>
          {video.momentsWithheld > 0 && `${describeWithheld(video.momentsWithheld)} `}
          <WayIn />
        </span>
      </p>
    </>
  );
}

/** Where moments are locked, those of a film that the query names have no places either. */
function isCountedOnly({ reading, moments }: Result): boolean {
  return reading === 'counts' || (reading === 'locked' && moments.length === 0);
}

function describeWithheld(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'more moment is' : 'more moments are'} counted.`;
}

function WayIn() {
  const session = useSession();
  const location = useLocation();
  if (session.state === 'signed-in') return <span>You can read them once your account is active.</span>;
  return (
    <span>
      <Link className="link" to={paths.login(createPath(location))} state={openedFrom(location)} preventScrollReset>
        Sign in
      </Link>{' '}
      to read them.
    </span>
  );
}
