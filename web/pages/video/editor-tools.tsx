import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { visibilityOf } from '#web/api/visibility.ts';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { FilmVisibility } from './film-visibility.tsx';

const EditFacts = lazyPart(() => import('./edit-facts.tsx').then((part) => part.EditFacts));

const NamePeople = lazyPart(() => import('./name-people.tsx').then((part) => part.NamePeople));

const DeleteFilm = lazyPart(() => import('./delete-film.tsx').then((part) => part.DeleteFilm));

interface EditorToolsProps {
  videoId: string;
  name: string;
  onEditTranscript: () => void;
}

/** What editors do with a film, each in a window of its own; and who sees it, where that is not everybody. */
export function EditorTools({ videoId, name, onEditTranscript }: EditorToolsProps) {
  const [open, setOpen] = useState<'facts' | 'people' | 'visibility' | 'deleting' | null>(null);
  const visibility = useQuery(visibilityOf(videoId)).data;
  const close = () => setOpen(null);
  return (
    <>
      <div className="editor-tools">
        <IconButton icon="pencil" label="Edit title and details" small onClick={() => setOpen('facts')} />
        <IconButton icon="user-round" label="Name people" small onClick={() => setOpen('people')} />
        <IconButton icon="captions" label="Edit transcript" small onClick={onEditTranscript} />
        <IconButton icon="eye" label="Who sees this film" small onClick={() => setOpen('visibility')} />
        <IconButton icon="trash-2" label="Delete film" small onClick={() => setOpen('deleting')} />
      </div>
      {visibility && visibility.shownTo !== 'everybody' && (
        <p className="kept-back">
          <span className="tag">
            <VisibilityWords visibility={visibility} />
          </span>
          {visibility.reason && <bdi>{visibility.reason}</bdi>}
        </p>
      )}
      <Suspense>
        {open === 'facts' && <EditFacts videoId={videoId} onClose={close} />}
        {open === 'people' && <NamePeople videoId={videoId} onClose={close} />}
        {open === 'visibility' && <FilmVisibility videoId={videoId} onClose={close} />}
        {open === 'deleting' && <DeleteFilm videoId={videoId} name={name} onClose={close} />}
      </Suspense>
    </>
  );
}
