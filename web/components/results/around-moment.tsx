import { useQuery } from '@tanstack/react-query';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { linesAround } from '#web/api/videos.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { showToast } from '#web/ui/toast.tsx';
import { wordCitation } from '../text/cite.ts';
import type { FoundMoment } from './found-moment.ts';

interface OfVideo {
  id: string;
  name: string;
}

/** The lines before and after a moment that is said or written, for those who may watch the video. */
export function AroundMoment({ videoId, moment: { kind, seconds, text } }: { videoId: string; moment: FoundMoment }) {
  const session = useSession();
  const isLine = kind === 'Transcript' || kind === 'Ocr';
  const mayRead = isLine && session.state === 'signed-in' && can(session.user.roles, 'view');
  const { data } = useQuery({ ...linesAround(videoId, { kind: isLine ? kind : 'Transcript', seconds }), enabled: mayRead });
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

/** Copies a moment as a citation, and says so. */
export async function citeMoment({ id, name: title }: OfVideo, { kind, seconds, text }: FoundMoment): Promise<void> {
  const link = new URL(paths.video(id, { seconds }), window.location.href).href;
  const line = kind === 'Transcript' || kind === 'Ocr' ? text : null;
  const citation = wordCitation({ line, title, seconds, archive: pageSettings.archive.name, link });
  try {
    // There is no clipboard on plain http beyond this machine, and a browser may refuse the one that there is.
    await navigator.clipboard.writeText(citation);
    showToast('Citation copied');
  } catch {
    showToast(`This browser did not let the page copy. The citation is: ${citation}`, 'failed');
  }
}
