import { Link, useNavigate } from 'react-router';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { paths } from '#web/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { FilmLeader } from './film-leader.tsx';

/** For every address without a page; also shown for a video that does not exist. */
export function NotFoundPage() {
  const navigate = useNavigate();
  return (
    <Main>
      <PageTitle title="Not found" />
      <section className="message-page">
        <div>
          <PageHeading page="not-found">We are sorry but flux capacitor is having some issues right now.</PageHeading>
          <p className="message-lead">
            There is no page or file at this address. It may have been moved, or the link may have lost a few characters on the way.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Link className={buttonClass('primary', 'large')} to={paths.home}>
              Show all videos
            </Link>
            <Button look="outline" size="large" onClick={() => navigate(-1)}>
              Go back
            </Button>
          </div>
        </div>
        <FilmLeader />
      </section>
    </Main>
  );
}
