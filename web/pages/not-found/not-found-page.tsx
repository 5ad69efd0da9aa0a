import { Link, useNavigate } from 'react-router';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { paths } from '#web/paths.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';

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
            <Link className={buttonClassFor('primary', 'large')} to={paths.home}>
              Show all videos
            </Link>
            {window.history.length > 1 && (
              <Button look="outline" size="large" onClick={() => navigate(-1)}>
                Go back
              </Button>
            )}
          </div>
        </div>
        <FilmLeader />
      </section>
    </Main>
  );
}

/** The countdown before a film, stopped at 404. */
function FilmLeader() {
  return (
    <svg className="message-picture bg-[#d9d5c9]" viewBox="0 0 640 480" role="img" aria-label="Film leader showing 404">
      <defs>
        <radialGradient id="leader-edge" cx=".5" cy=".5" r=".75">
          <stop offset=".45" stopOpacity="0" />
          <stop offset="1" stopColor="#17130c" stopOpacity=".62" />
        </radialGradient>
        <filter id="leader-grain">
          <feTurbulence type="fractalNoise" baseFrequency=".85" numOctaves="2" seed="4" />
          <feColorMatrix values="0 0 0 0 .1 0 0 0 0 .09 0 0 0 0 .07 0 0 0 .55 -.14" />
        </filter>
      </defs>
      <path d="M320 240 L320 -240 A480 480 0 1 1 -95 480 Z" fill="#b9b4a5" />
      <path d="M0 240H640M320 0V480" stroke="#1c1a16" strokeWidth="2" />
      <circle cx="320" cy="240" r="196" fill="none" stroke="#1c1a16" strokeWidth="5" />
      <circle cx="320" cy="240" r="170" fill="none" stroke="#1c1a16" strokeWidth="5" />
      <path d="M320 240L-95 480" stroke="#1c1a16" strokeWidth="3" />
      <rect x="203" y="176" width="236" height="132" rx="6" transform="rotate(-1.5 320 240) skewX(-6) translate(26 0)" fill="#ffc533" />
      <text
        x="320"
        y="293"
        textAnchor="middle"
        fontFamily="Newsreader Variable"
        fontWeight="500"
        fontSize="156"
        letterSpacing="-6"
        fill="#15130f"
      >
        404
      </text>
      <path d="M88 0v480M511 0v480" stroke="#fff" strokeOpacity=".35" strokeWidth="1.5" />
      <circle cx="133" cy="96" r="5" fill="#2b2820" opacity=".6" />
      <path d="M470 380q14-9 21 3t-9 14" fill="none" stroke="#2b2820" strokeWidth="2" opacity=".6" />
      <rect width="640" height="480" filter="url(#leader-grain)" opacity=".8" />
      <rect width="640" height="480" fill="url(#leader-edge)" />
    </svg>
  );
}
