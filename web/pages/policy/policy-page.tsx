import { Link } from 'react-router';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { keptAboutPeople } from './kept-data.ts';
import './policy.css';

/** The archive's own words about privacy or cookies; after those about privacy, what every archive keeps. */
export function PolicyPage({ policy }: { policy: 'privacy' | 'cookies' }) {
  const { title, paragraphs } = pageSettings.archive.policies[policy];
  return (
    <Main>
      <PageTitle title={title} />
      <article className="text-page">
        <PageHeading page={policy}>{title}</PageHeading>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {policy === 'privacy' && <KeptData />}
      </article>
    </Main>
  );
}

function KeptData() {
  return (
    <>
      <h2 id="yourself">What you can do yourself</h2>
      <p>
        On your account page you can <OwnAccount part="you">change your name</OwnAccount>,{' '}
        <OwnAccount part="sessions">see where you are signed in and sign out there</OwnAccount>,{' '}
        <OwnAccount part="data">download everything stored about you</OwnAccount>, and{' '}
        <OwnAccount part="end">delete your account</OwnAccount>.
      </p>
      <h2 id="kept">What is stored, and for how long</h2>
      <table className="kept" aria-labelledby="kept">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">For how long</th>
          </tr>
        </thead>
        <tbody>
          {keptAboutPeople.map(({ what, untilWhen }) => (
            <tr key={what}>
              <td>{what}</td>
              <td>{untilWhen}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function OwnAccount({ part, children }: { part: 'you' | 'sessions' | 'data' | 'end'; children: string }) {
  return (
    <Link className="link" to={`${paths.account}#account-${part}`}>
      {children}
    </Link>
  );
}
