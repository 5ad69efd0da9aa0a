import { Main } from '#web/components/main.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import { PageTitle } from '#web/components/page-title.tsx';
import { pageSettings } from '#web/page-settings.ts';

/** The archive's own words about privacy or cookies. */
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
      </article>
    </Main>
  );
}
