import { Main } from '#web/components/main.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import { PageTitle } from '#web/components/page-title.tsx';

/** What administrators can do today; both addresses of the desk lead here. */
export function AdminPage() {
  return (
    <Main>
      <PageTitle title="Admin" />
      <article className="text-page">
        <PageHeading page="admin">Admin</PageHeading>
        <p>You are an administrator of this archive. For now it is run from its own machine:</p>
        <p>
          <code className="font-mono text-small">npm run admin -- EMAIL</code> makes somebody an administrator.
        </p>
        <p>
          <code className="font-mono text-small">npm run import -- PATH</code> adds videos.
        </p>
      </article>
    </Main>
  );
}
