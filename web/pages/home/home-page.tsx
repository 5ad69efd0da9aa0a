import { Fragment } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { useSession } from '#web/api/session.ts';
import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { ListWaits } from '#web/components/list-waits.tsx';
import { listOrders, readOrder, writeOrder } from '#web/components/search-order.ts';
import { SortSelect } from '#web/components/sort-select.tsx';
import { LoadMore } from '#web/components/table/load-more.tsx';
import { describeMoments, narrowToHeld } from '#web/components/text/own-words.ts';
import { useFoundVideos } from '#web/components/use-found-videos.ts';
import { NoVideosYet, VideoGrid, VideoGridSkeleton } from '#web/components/video-grid.tsx';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { readWayBack } from '../../../contract/page-routes.ts';
import { markHeroLine } from '../../components/text/own-words.ts';

/** All videos under the archive's own line, newest first unless the address says otherwise; and back from here, whoever was sent home and may open that page by now. */
export function HomePage() {
  const session = useSession();
  const { key } = useLocation();
  const [parameters] = useSearchParams();
  const next = readWayBack(parameters, session.state === 'signed-in' ? session.user.roles : undefined);
  // Under the sign-in window this page is another place than after it: from both it goes on.
  return next ? <Navigate key={key} to={next} replace /> : <AllVideos />;
}

function AllVideos() {
  const [parameters, setParameters] = useSearchParams();
  const order = readOrder(parameters, listOrders);
  const found = useFoundVideos({ query: '', ...(order === 'best' ? {} : { sort: order }) });
  const isEmpty = found.hasAnswer && found.videos.length === 0;
  const { show } = pageSettings.archive.hero;
  return (
    <Main busy={found.isFirstLoading || found.isRearranging}>
      <PageTitle title="Home" />
      {show && <Hero />}
      <div className={`section-head ${show ? '' : 'section-head-first'}`}>
        {show ? <h2 className="serif-title">{heading}</h2> : <PlainHeading />}
        {filmsAreHere && (
          <SortSelect
            orders={listOrders}
            value={order}
            onChange={(next) => setParameters(writeOrder(parameters, next), { preventScrollReset: true })}
          />
        )}
      </div>
      <Announcement text={announcePage(found)} />
      {found.waits && (found.isFirstLoading || found.isRearranging) && <ListWaits waits={found.waits} />}
      {found.isFirstLoading && !found.waits && <VideoGridSkeleton />}
      {isEmpty ? <NoVideosYet /> : <VideoGrid videos={found.videos} heading={show ? 'h3' : 'h2'} />}
      {!found.isFirstLoading && !isEmpty && <LoadMore state={found.more} waits={found.moreWaits} onLoad={found.load} />}
    </Main>
  );
}

const heading = 'Showing all videos';

function PlainHeading() {
  return (
    <div className="serif-title">
      <PageHeading page="home">{heading}</PageHeading>
    </div>
  );
}

const { line, marked, examples } = pageSettings.archive.hero;
const { holds } = pageSettings;

function Hero() {
  return (
    <section className="hero">
      <PageHeading page="home">
        {markHeroLine(narrowToHeld(line, holds), narrowToHeld(marked, holds)).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the line never changes
          <Fragment key={index}>
            {part.startsLine && <br />}
            {part.marked ? <span className="marker marker-short">{part.text}</span> : part.text}
          </Fragment>
        ))}
      </PageHeading>
      <div>
        <p>{describeMoments(holds)}</p>
        {examples.length > 0 && (
          <p className="hero-examples">
            {examples.map((example) => (
              <Link key={example} className="link" to={paths.search(example)}>
                {example}
              </Link>
            ))}
          </p>
        )}
      </div>
    </section>
  );
}
