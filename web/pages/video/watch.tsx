import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { wholeMinutes } from '#web/components/text/whole-minutes.ts';
import { formatTimeCode } from '#web/embed/time-code.ts';
import { type Store, useStore } from '#web/embed/use-store.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { watchFrames } from './watch-frames.ts';

interface WatchProps {
  video: { id: string; name: string; durationInSeconds: number; views: number | null };
  accessToken: string;
  startInSeconds: number;
  addresses: { player: string; insights: string };
  onRefused: () => void;
}

export function Watch({ video, accessToken, startInSeconds, addresses, onRefused }: WatchProps) {
  const player = useRef<HTMLIFrameElement>(null);
  const insights = useRef<HTMLIFrameElement>(null);
  // The addresses of the first moment stay: another one would start the film anew.
  const [first] = useState(addresses);
  const [frames] = useState(() => {
    const windows = {
      origin: new URL(pageSettings.widgetBase, window.location.href).origin,
      player: () => player.current?.contentWindow ?? null,
      insights: () => insights.current?.contentWindow ?? null,
    };
    return watchFrames(windows, { videoId: video.id, accessToken, startInSeconds, onRefused });
  });
  const connect = useCallback((node: HTMLElement | null) => (node ? frames.connect() : undefined), [frames]);

  return (
    <main id="main" className="wrap vid" ref={connect}>
      <PageTitle title={video.name} />
      <div>
        <div className="deck-frame">
          <iframe ref={player} src={first.player} title="Player" allow="autoplay; fullscreen" referrerPolicy="no-referrer" />
        </div>
        <div className="vh1">
          <div>
            <VideoTitle videoId={video.id} name={video.name} />
            <p className="sub">
              {video.views !== null && (
                <span>
                  <Icon name="eye" />
                  {video.views.toLocaleString('en')} {video.views === 1 ? 'view' : 'views'}
                </span>
              )}
              <span>{wholeMinutes(video.durationInSeconds)}</span>
            </p>
          </div>
          <div className="acts">
            <CopyLink videoId={video.id} clock={frames.clock} />
            <a className={`${buttonClass('outline')} phone-only`} href="#insights">
              <Icon name="list-video" size={16} />
              Insights
            </a>
          </div>
        </div>
        <Licensing />
      </div>
      <aside className="panel-frame" id="insights" aria-label="Insights panel">
        <iframe
          ref={insights}
          src={first.insights}
          title="Insights"
          allow="autoplay; fullscreen"
          referrerPolicy="no-referrer"
          onLoad={frames.greet}
        />
      </aside>
    </main>
  );
}

/** Whom to ask for a licence: the contact of the archive's settings. */
function Licensing() {
  const { email, phone } = pageSettings.archive.contact;
  return (
    <section className="lic" aria-labelledby="licensing">
      <div>
        <h2 id="licensing">Licensing</h2>
        <p>To license this video, contact us by e-mail or phone.</p>
      </div>
      <div className="ct">
        {email && (
          <a href={`mailto:${email}`}>
            <Icon name="mail" />
            <span>{email}</span>
          </a>
        )}
        {phone && (
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
            <Icon name="phone" />
            <span className="tc">{phone}</span>
          </a>
        )}
      </div>
    </section>
  );
}

const shownForMs = 6_000;

/** Copies the address of this video at the second that plays. */
function CopyLink({ videoId, clock }: { videoId: string; clock: Store<number> }) {
  const seconds = Math.floor(useStore(clock));
  const [said, setSaid] = useState('');
  const say = (sentence: string) => {
    setSaid(sentence);
    window.setTimeout(() => setSaid(''), shownForMs);
  };
  const copy = () => {
    const address = new URL(paths.video(videoId, { seconds }), window.location.href).href;
    // There is no clipboard on plain http beyond this machine.
    if (!navigator.clipboard) return say(`Copying is not possible here. The link is ${address}`);
    navigator.clipboard.writeText(address).then(
      () => say('Link copied'),
      () => say('The link was not copied. Try again.'),
    );
  };
  return (
    <>
      <Button look="outline" onClick={copy}>
        <Icon name="link" size={16} />
        Copy link at <span className="tc">{formatTimeCode(seconds)}</span>
      </Button>
      <p className={said === '' ? 'sr-only' : 'toast'} role="status">
        {said}
      </p>
    </>
  );
}

// Only editors see it.
const EditTitle = lazy(() => import('./edit-title.tsx').then(({ EditTitle: component }) => ({ default: component })));

/** What the film is called; editors give it another title here. */
function VideoTitle({ videoId, name }: { videoId: string; name: string }) {
  const session = useSession();
  const [isEditing, setEditing] = useState(false);
  const mayEdit = session.state === 'signed-in' && can(session.user.roles, 'edit');
  return (
    <div className="video-title">
      <PageHeading page={videoId}>{name}</PageHeading>
      {mayEdit && <IconButton icon="pencil" label="Edit title" small onClick={() => setEditing(true)} />}
      {isEditing && (
        <Suspense>
          <EditTitle videoId={videoId} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </div>
  );
}
