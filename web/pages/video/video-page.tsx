import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { displayName } from '#contract/display-name.ts';
import { Main } from '#web/components/main.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import { PageTitle } from '#web/components/page-title.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { Button } from '#web/ui/button.tsx';
import { frameAddresses, readStart } from './frame-addresses.ts';
import './video.css';
import { isRefusal, videoById, watchableVideo } from './video-queries.ts';
import { Watch } from './watch.tsx';

/** Player, name, licensing contact and insights of one video; `notFound` is shown when there is no such video. */
export function VideoPage({ notFound }: { notFound: ReactNode }) {
  const { id = '' } = useParams();
  const [parameters] = useSearchParams();
  const [isRemoved, setIsRemoved] = useState(false);
  const found = useQuery(videoById(id));
  const watchable = useQuery({ ...watchableVideo(id), enabled: Boolean(found.data) });

  if (found.data === null) return notFound;
  if (isRemoved || isRefusal(watchable.error)) {
    return <Notice id={id}>You no longer have access to this video.</Notice>;
  }
  if (found.isError || watchable.isError) {
    const retry = () => (found.isError ? found.refetch() : watchable.refetch());
    return (
      <Notice id={id} retry={retry}>
        This video cannot be shown right now.
      </Notice>
    );
  }
  if (!watchable.data) return <Waiting />;
  const { accessToken, ...video } = watchable.data;
  const startInSeconds = readStart(parameters.get('t'));
  const query = parameters.get('query') ?? '';
  return (
    <Watch
      // Another second or search in the address is another visit: the frames begin anew there.
      key={`${id} ${startInSeconds} ${query}`}
      video={{ ...video, id, name: displayName(video.name) }}
      accessToken={accessToken}
      startInSeconds={startInSeconds ?? 0}
      addresses={frameAddresses(pageSettings, { videoId: id, accessToken, startInSeconds, query })}
      onRefused={() => setIsRemoved(true)}
    />
  );
}

/** The places of player and insights, so that nothing moves when they come. */
function Waiting() {
  return (
    <main id="main" className="wrap vid" aria-busy="true">
      <div className="deck-frame deck-waiting" />
      <div className="panel-frame" />
    </main>
  );
}

function Notice({ id, retry, children }: { id: string; retry?: () => void; children: string }) {
  return (
    <Main>
      <PageTitle title="Video" />
      <section className="message-page">
        <div role="alert">
          <PageHeading page={`notice ${id}`}>{children}</PageHeading>
          {retry && (
            <div className="mt-7">
              <Button look="primary" size="large" onClick={retry}>
                Try again
              </Button>
            </div>
          )}
        </div>
      </section>
    </Main>
  );
}
