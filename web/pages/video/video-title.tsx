import { lazy, Suspense, useState } from 'react';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

// Only editors see it.
const EditTitle = lazy(() => import('./edit-title.tsx').then(({ EditTitle: component }) => ({ default: component })));

/** What the film is called; editors give it another title here. */
export function VideoTitle({ videoId, name }: { videoId: string; name: string }) {
  const session = useSession();
  const [isEditing, setEditing] = useState(false);
  const mayEdit = session.state === 'signed-in' && can(session.user.roles, 'edit');
  return (
    <div className="video-title">
      <PageHeading page={videoId}>{name}</PageHeading>
      {mayEdit && <IconButton icon="pencil" label="Edit title" small onClick={() => setEditing(true)} />}
      {isEditing && (
        <Suspense>
          <EditTitle videoId={videoId} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </div>
  );
}
