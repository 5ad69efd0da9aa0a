import { type Ref, Suspense, useCallback, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { FilmFacts } from '#contract/films.ts';
import { can } from '#contract/roles.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useSession } from '#web/api/session.ts';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { goToPart } from '#web/components/keep-focus.ts';
import { cite } from '#web/components/results/citing.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { formatWholeMinutes } from '#web/components/text/whole-minutes.ts';
import { lineAt } from '#web/embed/video-moments.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { type Store, useStore } from '#web/ui/store.ts';
import type { WatchedVideo } from './about-film.ts';
import type { Visit } from './left-visit.ts';
import { watchableVideoOf } from './video-queries.ts';
import { type WatchedFrames, watchFrames } from './watch-frames.ts';

export interface WatchProps {
  video: WatchedVideo;
  /** Undefined as long as they have not come. */
  facts: FilmFacts | undefined;
  accessToken: string;
  /** The second that is on show before anything plays. */
  opensAt: number;
  /** What is asked for of the film at first, and where a range ends that the address names. */
  asked: Pick<Visit, 'range' | 'use'>;
  pausesAt: number | null;
  /** Classes of the page: `vid-no-film`, `vid-captions`, `vid-lines`. */
  layout: string;
  addresses: { player: string; insights: string };
  onRefused: () => void;
}

export function Watch({ video, facts, layout, addresses, ...opening }: WatchProps) {
  const player = useRef<HTMLIFrameElement>(null);
  const insights = useRef<HTMLIFrameElement>(null);
  // The addresses of the first moment stay: another one would start the film anew.
  const [first] = useState(addresses);
  const [frames] = useState(() => {
    const windows = {
      origin: new URL(pageSettings.widgetBase, window.location.href).origin,
      player: () => player.current?.contentWindow ?? null,
      insights: () => insights.current?.contentWindow ?? null,
      focusPlayer: () => {
        player.current?.focus();
        player.current?.scrollIntoView({ block: 'nearest' });
      },
    };
    const { id: videoId, name: title, durationInSeconds, lines } = video;
    const spokenIn = lines.find(({ language }) => language)?.language;
    return watchFrames(windows, { videoId, about: spokenIn ? { title, spokenIn } : { title }, durationInSeconds, ...opening });
  });
  const connect = useCallback((node: HTMLElement | null) => (node ? frames.connect() : undefined), [frames]);

  const { name } = video;
  const tellName = useCallback((node: HTMLElement | null) => void (node && frames.rename(name)), [frames, name]);

  const [parameters, setParameters] = useSearchParams();
  const isEditing = useMayEdit() && parameters.get('edit') === 'transcript';
  const endEditing = () => {
    setParameters((all) => without(all, 'edit'), { replace: true });
    // What is cited and printed says what the lines say now.
    void queryClient.invalidateQueries(watchableVideoOf(video.id));
  };

  return (
    <main id="main" className={isEditing ? `wrap vid ${layout} vid-lines` : `wrap vid ${layout}`} ref={connect}>
      <PageTitle title={video.name} />
      <div>
        <div className="deck-frame">
          <iframe
            ref={player}
            src={first.player}
            title="Player"
            allow="autoplay; fullscreen"
            referrerPolicy="no-referrer"
            onLoad={frames.greetPlayer}
          />
        </div>
        <div className="vh1" ref={tellName}>
          <div>
            <VideoTitle video={video} clock={frames.clock} />
            <p className="sub">
              {video.views !== null && (
                <span>
                  <Icon name="eye" />
                  {video.views.toLocaleString('en')} {video.views === 1 ? 'view' : 'views'}
                </span>
              )}
              <span>{formatWholeMinutes(Math.round(video.durationInSeconds))}</span>
            </p>
          </div>
          <div className="acts">
            <CopyMoment video={video} clock={frames.clock} />
            {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, also before scripts run */}
            <a className={`${buttonClassFor('outline')} phone-only`} href="#insights" onClick={goToPart}>
              <Icon name="list-video" size={16} />
              Insights
            </a>
          </div>
        </div>
        <Suspense
          fallback={
            pageSettings.archive.contact.email && <div className={facts?.description ? 'lic-coming lic-coming-about' : 'lic-coming'} />
          }
        >
          <BelowFilm video={video} facts={facts} clock={frames.clock} range={frames.range} use={frames.use} linkTo={linkTo} />
        </Suspense>
      </div>
      <aside className="panel-frame" id="insights" aria-label={isEditing ? 'Transcript' : 'Insights panel'}>
        {isEditing ? (
          <Suspense>
            <EditLines videoId={video.id} film={frames} onDone={endEditing} />
          </Suspense>
        ) : (
          <InsightsFrame ref={insights} address={first.insights} frames={frames} />
        )}
      </aside>
    </main>
  );
}

interface InsightsFrameProps {
  ref: Ref<HTMLIFrameElement>;
  address: string;
  frames: WatchedFrames;
}

/** The insights as they were left, where they were there before. */
function InsightsFrame({ ref, address, frames }: InsightsFrameProps) {
  const [src] = useState(() => frames.insightsAsLeft(address));
  return <iframe ref={ref} src={src} title="Insights" allow="autoplay; fullscreen" referrerPolicy="no-referrer" onLoad={frames.greet} />;
}

interface OfMoment {
  video: WatchedVideo;
  clock: Store<number>;
}

/** The address of a second of a video, or of a stretch from there, for other people. */
function linkTo({ id }: WatchedVideo, seconds: number, until?: number): string {
  return new URL(paths.video(id, until === undefined ? { seconds } : { seconds, until }), window.location.href).href;
}

/** Copies the address of this video at the second that plays, or what is said there in quotation marks with its source. */
function CopyMoment({ video, clock }: OfMoment) {
  const seconds = Math.floor(useStore(clock));
  const citeMoment = () => cite(video, { seconds, line: lineAt(video.lines, clock.read())?.text ?? null });
  return (
    <>
      <Button look="outline" onClick={() => copyText('Link', linkTo(video, seconds))}>
        <Icon name="link" size={16} />
        Copy link at <span className="tc">{formatTimeCode(seconds)}</span>
      </Button>
      <Button look="outline" title="Copy the line spoken here with its source and link" onClick={citeMoment}>
        <Icon name="quote" size={16} />
        Cite
      </Button>
    </>
  );
}

// It comes after what is watched.
const BelowFilm = makeLazyPart(() => import('./licensing.tsx').then((part) => part.BelowFilm));

// Only editors see them.
const EditorTools = makeLazyPart(() => import('./editor-tools.tsx').then((part) => part.EditorTools));

const EditLines = makeLazyPart(() => import('./edit-lines/edit-lines.tsx').then((part) => part.EditLines));

function useMayEdit(): boolean {
  const session = useSession();
  return filmsAreHere && session.state === 'signed-in' && can(session.user.roles, 'edit');
}

function without(parameters: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(parameters);
  rest.delete(name);
  return rest;
}

/** What the film is called, and what editors do with it. */
function VideoTitle({ video: { id: videoId, name, durationInSeconds, hasFile }, clock }: OfMoment) {
  const [, setParameters] = useSearchParams();
  const editTranscript = () => setParameters((all) => new URLSearchParams([...without(all, 'edit'), ['edit', 'transcript']]));
  return (
    <div className="video-title">
      <PageHeading page={videoId}>{name}</PageHeading>
      {useMayEdit() && (
        <Suspense>
          <EditorTools
            videoId={videoId}
            name={name}
            durationInSeconds={durationInSeconds}
            hasFile={hasFile}
            clock={clock}
            onEditTranscript={editTranscript}
          />
        </Suspense>
      )}
    </div>
  );
}
