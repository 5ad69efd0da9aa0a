import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
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
