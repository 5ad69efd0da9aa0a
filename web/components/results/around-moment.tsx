import { useQuery } from '@tanstack/react-query';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { linesAround } from '#web/api/videos.ts';
import { filmsAreHere } from '#web/page-settings.ts';
import type { FoundMoment } from './found-moment.ts';

/** The lines before and after a moment that is said or written, for those who may watch the video. */
export function AroundMoment({ videoId, moment: { kind, seconds, text } }: { videoId: string; moment: FoundMoment }) {
  const session = useSession();
  const isLine = kind === 'Transcript' || kind === 'Ocr';
  const mayRead = isLine && session.state === 'signed-in' && can(session.user.roles, 'view');
  const { data } = useQuery({ ...linesAround(videoId, { kind: isLine ? kind : 'Transcript', seconds }), enabled: mayRead && filmsAreHere });
  if (!data) return null;
  // A moment may stand in two lines.
  const after = data.after.find((line) => !text.includes(line));
  return (
    <dl className="moment-around">
      {data.before && <Line name="Before" text={data.before} />}
      {after && <Line name="After" text={after} />}
    </dl>
  );
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{text}</bdi>
      </dd>
    </div>
  );
}
