import { Fragment } from 'react';
import { Link } from 'react-router';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { markHeroLine } from './mark-hero-line.ts';

const { line, marked, examples } = pageSettings.archive.hero;

export function Hero() {
  return (
    <section className="hero">
      <PageHeading page="home">
        {markHeroLine(line, marked).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the line never changes
          <Fragment key={index}>
            {part.startsLine && <br />}
            {part.marked ? <span className="marker marker-short">{part.text}</span> : part.text}
          </Fragment>
        ))}
      </PageHeading>
      <div>
        <p>Every spoken line, every sign on a wall, every face in this archive, found to the second.</p>
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
