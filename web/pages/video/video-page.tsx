/*
 * A video: watch holds player and insights together, about-film what is known of it, licensing the way to its owner. Editors have their tools in
 * editor-tools: facts, names, lines (edit-lines/), poster, file and visibility.
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, use, useState } from 'react';
import { createPath, Link, useLocation, useParams, useSearchParams } from 'react-router';
import { toDisplayName } from '#contract/display-name.ts';
import { can } from '#contract/roles.ts';
import { isOffline } from '#web/api/call-failed.ts';
import { useSession } from '#web/api/session.ts';
import { widgetTokenOf } from '#web/api/tokens.ts';
import type { EmbedAddress } from '#web/embed/embed-address.ts';
import { lineAt } from '#web/embed/video-moments.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { frameAddresses, readEnd, readStart } from './frames.ts';
import './video.css';
import { ArrivalContext } from '#web/components/arrival-context.ts';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { openedFrom } from '#web/components/sign-in-origin.ts';
import { noConnection } from '#web/components/table/load-more.tsx';
import { paths } from '#web/paths.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import type { WatchedVideo } from './about-film.ts';
import { readChosenTab, readLeftVisit } from './left-visit.ts';
import { filmFactsOf, isRefusal, videoById, watchableVideoOf } from './video-queries.ts';
import { Watch, type WatchProps } from './watch.tsx';

/** Player, name, licensing contact and insights of one video; `notFound` is shown when there is no such video. */
export function VideoPage({ notFound }: { notFound: ReactNode }) {
  const { id = '' } = useParams();
  const session = useSession();
  // The page was open when its visitor lost the permission: player and tokens leave it, and it says why.
  if (session.state === 'guest') return <AccessLost id={id} isSignedOut />;
  if (session.state === 'signed-in' && !can(session.user.roles, 'view')) return <AccessLost id={id} />;
  return <Result key={id} id={id} notFound={notFound} />;
}

function Result({ id, notFound }: { id: string; notFound: ReactNode }) {
  const [parameters] = useSearchParams();
  const [isRefused, setIsRefused] = useState(false);
  const found = useQuery({ ...videoById(id), refetchOnReconnect: true });
  const watchable = useQuery({ ...watchableVideoOf(id), enabled: Boolean(found.data), refetchOnReconnect: true });
  const facts = useQuery({ ...filmFactsOf(id), enabled: filmsAreHere && Boolean(found.data) });

  if (found.data === null) return watchable.data ? <Taken id={id} /> : <Missing id={id} notFound={notFound} />;
  if (isRefused || isRefusal(watchable.error)) return <AccessLost id={id} />;
  // What is on show stays when a look whether it is there still comes to nothing.
  const lacking = found.data ? watchable : found;
  if (!lacking.data && isOffline(lacking.failureReason)) return <ConnectionAway id={id} />;
  if (!lacking.data && lacking.isError) return <NotShown id={id} retry={() => lacking.refetch()} />;
  if (!watchable.data) return <Waiting />;
  const { name, ...film } = watchable.data;
  return (
    <Opened
      // Another moment or search in the address is another visit: the frames begin anew there.
      key={['t', 'end', 'query'].map((name) => parameters.get(name)).join(' ')}
      film={{ ...film, id, name: toDisplayName(name) }}
      facts={facts.data}
      onRefused={() => setIsRefused(true)}
    />
  );
}

interface OpenedProps extends Pick<WatchProps, 'facts' | 'onRefused'> {
  film: Omit<WatchedVideo, 'hasFile'> & { accessToken: string; lacks: EmbedAddress['lacks'] };
}

/** A film at the moment that its address names, or where it was left. */
function Opened({ film: { accessToken, lacks, ...video }, ...rest }: OpenedProps) {
  const [parameters] = useSearchParams();
  const isReplacing = use(ArrivalContext) === 'REPLACE';
  const [left] = useState(() => readLeftVisit({ isReplacing }));
  const { id, durationInSeconds, lines } = video;
  const named = readStart(parameters.get('t'), durationInSeconds);
  const end = readEnd(parameters.get('end'), named, durationInSeconds);
  const query = parameters.get('query') ?? '';
  const isSpoken = named !== null && lineAt(lines, named + wholeSecond)?.kind === 'Transcript';
  const opensAtLines = lines.length > 0 && (isSpoken || lacks === 'media');
  const startInSeconds = typeof left?.seconds === 'number' ? Math.floor(left.seconds) : named;
  return (
    <Watch
      {...rest}
      video={{ ...video, hasFile: lacks !== 'media' }}
      accessToken={accessToken}
      opensAt={startInSeconds === null ? 0 : startInSeconds + wholeSecond}
      asked={left ?? { range: { in: end === null ? null : named, out: end }, use: '' }}
      pausesAt={end}
      layout={[lacks === 'media' && 'vid-no-film', lacks === null && 'vid-captions', opensAtLines && 'vid-lines'].filter(Boolean).join(' ')}
      addresses={frameAddresses(pageSettings, {
        videoId: id,
        accessToken: widgetTokenOf(id),
        startInSeconds,
        query,
        durationInSeconds: Math.round(durationInSeconds),
        lacks,
        tab: readChosenTab() ?? (opensAtLines ? 'timeline' : null),
      })}
    />
  );
}

// An address names whole seconds: what begins within that one is meant.
const wholeSecond = 0.999;

/** The places of player and insights, so that nothing moves when they come. */
function Waiting() {
  return (
    <main id="main" className="wrap vid" aria-busy="true">
      <PageTitle title="Video" />
      <p className="sr-only" role="status">
        Loading video
      </p>
      <div className="deck-frame deck-waiting" />
      <div className="panel-frame" />
    </main>
  );
}

/** Instead of a video that its visitor may not watch any more, because their role, their session or their account is gone. */
function AccessLost({ id, isSignedOut = false }: { id: string; isSignedOut?: boolean }) {
  const location = useLocation();
  const session = useSession();
  // Whoever may still watch others is told nothing more by the page of those who wait.
  const waits = session.state === 'signed-in' && !can(session.user.roles, 'view');
  if (!isSignedOut) {
    return (
      <Notice id={id} heading="You no longer have access to this video." advice="Ask an administrator of the archive. Search stays open.">
        <ToArchive />
        {waits && (
          <Link className={buttonClassFor('outline', 'large')} to={paths.activationPending(createPath(location))}>
            See whom to ask
          </Link>
        )}
      </Notice>
    );
  }
  return (
    <Notice id={id} heading="You no longer have access to this video." advice="You have been signed out. Sign in to watch it.">
      <Link className={buttonClassFor('primary', 'large')} to={paths.login(createPath(location))} state={openedFrom(location)}>
        Sign in
      </Link>
    </Notice>
  );
}

/** Instead of a video that was taken down or deleted while its visitor watched it. */
function Taken({ id }: { id: string }) {
  return (
    <Notice id={id} heading="This video is no longer available." advice="An editor has just taken it down.">
      <ToArchive />
    </Notice>
  );
}

// Only editors see it.
const DeletedVideo = makeLazyPart(() => import('./editor-tools.tsx').then((part) => part.DeletedVideo));

/** An editor hears of a video that was deleted lately, and where it can be brought back. */
function Missing({ id, notFound }: { id: string; notFound: ReactNode }) {
  const session = useSession();
  if (!(filmsAreHere && session.state === 'signed-in' && can(session.user.roles, 'edit'))) return notFound;
  return (
    <Suspense>
      <DeletedVideo id={id} notFound={notFound}>
        {({ name, deletedBy }) => (
          <Notice
            id={id}
            heading="This video has been deleted."
            advice={`“${toDisplayName(name)}” was deleted${deletedBy ? ` by ${deletedBy}` : ''}. It can still be restored.`}
          >
            <Link className={buttonClassFor('primary', 'large')} to={paths.deskDeleted}>
              Deleted videos
            </Link>
          </Notice>
        )}
      </DeletedVideo>
    </Suspense>
  );
}

function ToArchive() {
  return (
    <Link className={buttonClassFor('primary', 'large')} to={paths.home}>
      Back to the archive
    </Link>
  );
}

/** Instead of a video while there is no connection: it is asked for again by itself until there is. */
function ConnectionAway({ id }: { id: string }) {
  return <Notice id={id} heading={noConnection} advice="Trying again automatically." />;
}

/** Instead of a video when something is broken. */
function NotShown({ id, retry }: { id: string; retry: () => void }) {
  return (
    <Notice id={id} heading="This video cannot be shown right now.">
      <Button look="primary" size="large" onClick={retry}>
        Try again
      </Button>
    </Notice>
  );
}

interface NoticeProps {
  id: string;
  heading: string;
  advice?: string;
  /** What to do about it, where there is something to do. */
  children?: ReactNode;
}

function Notice({ id, heading, advice, children }: NoticeProps) {
  return (
    <Main>
      <PageTitle title="Video" />
      <section className="message-page">
        <div role="alert">
          <PageHeading page={`notice ${id}`}>{heading}</PageHeading>
          {advice && <p className="message-lead">{advice}</p>}
          {children && <div className="mt-7 flex flex-wrap gap-3">{children}</div>}
        </div>
      </section>
    </Main>
  );
}
