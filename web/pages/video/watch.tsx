import { useCallback, useEffect, useRef, useState } from 'react';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { wholeMinutes } from '#web/components/text/whole-minutes.ts';
import { pageSettings } from '#web/page-settings.ts';
import { useTheme } from '#web/theme/theme.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { CopyLink } from './copy-link.tsx';
import { Licensing } from './licensing.tsx';
import { VideoTitle } from './video-title.tsx';
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
  const { shown: theme } = useTheme();
  // The frames are documents of their own; those of another origin cannot read the stored choice.
  useEffect(() => frames.greet(theme), [frames, theme]);

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
          onLoad={() => frames.greet(theme)}
        />
      </aside>
    </main>
  );
}
