import type { ReactNode } from 'react';
import { createPath, Link, useLocation } from 'react-router';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { openedFrom } from '#web/components/sign-in-origin.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

/** Instead of a video that its visitor may not watch any more, because their role, their session or their account is gone. */
export function AccessLost({ id, isSignedOut = false }: { id: string; isSignedOut?: boolean }) {
  const location = useLocation();
  if (!isSignedOut) {
    return (
      <Notice id={id} heading="You no longer have access to this video." advice="Ask an administrator of the archive. Search stays open.">
        <Link className={buttonClass('primary', 'large')} to={paths.home}>
          Back to the archive
        </Link>
      </Notice>
    );
  }
  return (
    <Notice id={id} heading="You no longer have access to this video." advice="You have been signed out. Sign in to watch it.">
      <Link className={buttonClass('primary', 'large')} to={paths.login(createPath(location))} state={openedFrom(location)}>
        Sign in
      </Link>
    </Notice>
  );
}

/** Instead of a video when something is broken or away. */
export function NotShown({ id, retry }: { id: string; retry: () => void }) {
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
  /** What to do about it. */
  children: ReactNode;
}

function Notice({ id, heading, advice, children }: NoticeProps) {
  return (
    <Main>
      <PageTitle title="Video" />
      <section className="message-page">
        <div role="alert">
          <PageHeading page={`notice ${id}`}>{heading}</PageHeading>
          {advice && <p className="message-lead">{advice}</p>}
          <div className="mt-7">{children}</div>
        </div>
      </section>
    </Main>
  );
}
