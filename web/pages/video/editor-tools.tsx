import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletedFilm, FilmVisibility as Visibility } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { deletedFilms, deleteFilm } from '#web/api/deletions.ts';
import { followRevision } from '#web/api/films.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showFilmTo, visibilityOf } from '#web/api/visibility.ts';
import { TypingModal } from '#web/components/ask-before-leaving.tsx';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { type Decision, shownBy, VisibilityChoice } from '#web/components/visibility-choice.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Store } from '#web/ui/store.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { watchableVideoOf } from './video-queries.ts';
import './film-visibility.css';

const EditFacts = makeLazyPart(() => import('./edit-facts.tsx').then((part) => part.EditFacts));

const NamePeople = makeLazyPart(() => import('./name-people.tsx').then((part) => part.NamePeople));

const PosterAndFile = makeLazyPart(() => import('./poster-and-file.tsx').then((part) => part.PosterAndFile));

interface EditorToolsProps {
  videoId: string;
  name: string;
  durationInSeconds: number;
  hasFile: boolean;
  /** Where playback is, in seconds. */
  clock: Store<number>;
  onEditTranscript: () => void;
}

/** What editors do with a film, each in a window of its own; and who sees it, where that is not everybody. */
export function EditorTools({ videoId, name, durationInSeconds, hasFile, clock, onEditTranscript }: EditorToolsProps) {
  const [open, setOpen] = useState<'facts' | 'people' | 'picture' | 'visibility' | 'deleting' | null>(null);
  const visibility = useQuery(visibilityOf(videoId)).data;
  // It has whatever is shown of the film asked for again, and is itself not shown here.
  useQuery({ ...followRevision(videoId), notifyOnChangeProps: [] });
  const close = () => setOpen(null);
  return (
    <>
      <div className="editor-tools">
        <Tool icon="pencil" word="Details" does="Edit title and details" onClick={() => setOpen('facts')} />
        <Tool icon="user-round" word="People" does="Name people" onClick={() => setOpen('people')} />
        <Tool icon="captions" word="Transcript" does="Edit transcript" onClick={onEditTranscript} />
        {hasFile && <Tool icon="film" word="Poster and file" does="Poster and file" onClick={() => setOpen('picture')} />}
        <Tool icon="eye" word="Who can see" does="Who can see this video" onClick={() => setOpen('visibility')} />
        <Tool icon="trash-2" word="Delete" does="Delete video" onClick={() => setOpen('deleting')} />
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
        {open === 'picture' && (
          <PosterAndFile videoId={videoId} name={name} opensAt={clock.read()} durationInSeconds={durationInSeconds} onClose={close} />
        )}
        {open === 'visibility' && <FilmVisibility videoId={videoId} onClose={close} />}
        {open === 'deleting' && <DeleteFilm videoId={videoId} name={name} onClose={close} />}
      </Suspense>
    </>
  );
}

/** `word` stands on it; `does`, which holds that word, is read aloud and shown when the pointer rests. */
function Tool({ icon, word, does, onClick }: { icon: IconName; word: string; does: string; onClick: () => void }) {
  return (
    <Button look="ghost" size="small" aria-label={does} title={does} onClick={onClick}>
      <Icon name={icon} size={16} />
      {word}
    </Button>
  );
}

/** Asks, deletes the film, says so, and leaves its page. */
function DeleteFilm({ videoId, name, onClose }: { videoId: string; name: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => deleteFilm({ id: videoId, name, reason }),
    onSuccess: () => {
      showToast(`Deleted: ${name}. You can restore it for at least ${limits.deletedKeptDays} days.`);
      void navigate(paths.deskDeleted);
      queryClient.removeQueries(watchableVideoOf(videoId));
    },
  });
  return (
    <Confirm
      question="Delete this video?"
      action="Delete video"
      icon="trash-2"
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>
        Nobody can find or play <bdi>“{name}”</bdi> any more. For at least {limits.deletedKeptDays} days you can restore it from the desk,
        under Deleted. After that, it and its original are erased.
      </p>
      <TextField
        label="Reason (optional)"
        value={reason}
        maxLength={limits.deletionReasonMaxCodePoints}
        fault={removal.error?.message}
        onChange={({ target }) => setReason(target.value)}
      />
    </Confirm>
  );
}

/** What each choice means for it. */
const means: Readonly<Record<Decision['choice'], string>> = {
  everybody: 'Guests can find it and viewers can watch it.',
  viewers: 'Hidden from guests. Anyone who may watch can find and play it.',
  later: 'Only editors can find and play it until then. After that, everyone can.',
  down: 'Only editors can find and play it. Playback stops for anyone watching it now.',
};

/** Decides who sees the film. */
function FilmVisibility({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(visibilityOf(videoId));
  return (
    <TypingModal title="Who can see this video" onClose={onClose}>
      {found.isPending && <Spinner label="Loading who can see it" />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data && <VisibilityForm videoId={videoId} seen={found.data} onDone={onClose} />}
    </TypingModal>
  );
}

function VisibilityForm({ videoId, seen, onDone }: { videoId: string; seen: Visibility; onDone: () => void }) {
  /** What was changed, and over what; nothing of that where what is there now has been told and may be replaced. */
  const [edited, setEdited] = useState<{ more: Partial<Decision>; over: Visibility | null }>({ more: {}, over: null });
  const decision: Decision = { ...decisionOf(seen), ...edited.more };
  const edit = (more: Partial<Decision>) => setEdited({ more: { ...edited.more, ...more }, over: edited.over ?? seen });
  const change = useMutation({
    mutationFn: () => showFilmTo(videoId, { ...shownBy(decision), reason: decision.reason, seen: edited.over ?? seen }),
    onSuccess: () => {
      showToast('Visibility changed.');
      onDone();
    },
    // Somebody else may have decided meanwhile: that is told, what was typed stays, and the next press replaces what is told.
    onError: async () => {
      await queryClient.invalidateQueries(visibilityOf(videoId));
      setEdited(({ more }) => ({ more, over: null }));
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="visibility" onSubmit={save}>
      <VisibilityChoice label="Who can see this video" decision={decision} keptReason={seen.reason} onEdit={edit}>
        <p>{means[decision.choice]}</p>
      </VisibilityChoice>
      {change.isError && (
        <p className="field-message" role="alert">
          {change.error.message}
        </p>
      )}
      {seen.setAt && (
        <p className="visibility-by">
          Now: <VisibilityWords visibility={seen} />, set <LocalTime at={seen.setAt} /> by {seen.setBy || 'a deleted user'}
        </p>
      )}
      <Button look="primary" type="submit" busy={change.isPending}>
        Save
      </Button>
    </form>
  );
}

function decisionOf(seen: Visibility): Decision {
  return { choice: choiceOf(seen), until: seen.until ? toLocalInput(new Date(seen.until)) : '', reason: seen.reason };
}

function choiceOf({ shownTo, until }: Visibility): Decision['choice'] {
  if (shownTo !== 'editors') return shownTo;
  return until ? 'later' : 'down';
}

/** As the field for a time and a date wants it, by the clock of this device. */
function toLocalInput(instant: Date): string {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface DeletedVideoProps {
  id: string;
  notFound: ReactNode;
  children: (film: DeletedFilm) => ReactNode;
}

/** Shows something of a video that is among the latest deleted ones. */
export function DeletedVideo({ id, notFound, children }: DeletedVideoProps) {
  const { data, isPending } = useInfiniteQuery(deletedFilms);
  const film = data?.pages.flatMap(({ films }) => films).find((one) => one.id === id);
  if (film) return children(film);
  return isPending ? null : notFound;
}
