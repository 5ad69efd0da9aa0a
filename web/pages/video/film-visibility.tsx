import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { FilmVisibility as Visibility } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showFilmTo, visibilityOf } from '#web/api/visibility.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { VisibilityWords } from '#web/components/text/visibility-words.tsx';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import './film-visibility.css';

type Choice = 'everybody' | 'viewers' | 'later' | 'down';

const choices: ReadonlyArray<{ value: Choice; label: string; means: string }> = [
  { value: 'everybody', label: 'Everybody', means: 'Guests find it, viewers watch it.' },
  { value: 'viewers', label: 'Viewers', means: 'Guests are told of it by nothing. Whoever may watch finds it and watches it.' },
  { value: 'later', label: 'From a date', means: 'Until then nobody but editors finds or watches it. Then everybody does, by itself.' },
  {
    value: 'down',
    label: 'Taken down',
    means: 'Nobody but editors finds or watches it from this moment on, not even who is watching it now.',
  },
];

/** Decides who sees the film. */
export function FilmVisibility({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(visibilityOf(videoId));
  return (
    <Modal title="Who sees this film" onClose={onClose}>
      {found.isPending && <Spinner label="Loading who sees it" />}
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data && <VisibilityForm key={found.data.setAt} videoId={videoId} seen={found.data} onDone={onClose} />}
    </Modal>
  );
}

function VisibilityForm({ videoId, seen, onDone }: { videoId: string; seen: Visibility; onDone: () => void }) {
  const [choice, setChoice] = useState(choiceOf(seen));
  const [until, setUntil] = useState(seen.until ? localInput(new Date(seen.until)) : '');
  const [reason, setReason] = useState(seen.reason);
  const isTimed = choice === 'later';
  const change = useMutation({
    mutationFn: () => {
      const shownTo = choice === 'everybody' || choice === 'viewers' ? choice : 'editors';
      return showFilmTo(videoId, { shownTo, until: isTimed ? new Date(until).toISOString() : null, reason, seen });
    },
    onSuccess: () => {
      showToast('Changed who sees this film.');
      onDone();
    },
    // Somebody else may have decided meanwhile.
    onError: () => queryClient.invalidateQueries(visibilityOf(videoId)),
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className="visibility" onSubmit={save}>
      <Segmented label="Who sees this film" value={choice} options={choices} onChange={setChoice} />
      <p>{choices.find(({ value }) => value === choice)?.means}</p>
      {isTimed && (
        <TextField
          label="From when on, by the clock of this device"
          type="datetime-local"
          required
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      )}
      {choice !== 'everybody' && (
        <TextField
          label={choice === 'down' ? 'Why' : 'Why, if you like'}
          value={reason}
          maxLength={limits.deletionReasonMaxCodePoints}
          required={choice === 'down'}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      {change.isError && (
        <p className="field-message" role="alert">
          {change.error.message}
        </p>
      )}
      {seen.setAt && (
        <p className="visibility-by">
          As it is: <VisibilityWords visibility={seen} />, since <LocalTime at={seen.setAt} /> by {seen.setBy || 'somebody who is gone'}
        </p>
      )}
      <Button look="primary" type="submit" busy={change.isPending}>
        Save
      </Button>
    </form>
  );
}

function choiceOf({ shownTo, until }: Visibility): Choice {
  if (shownTo !== 'editors') return shownTo;
  return until ? 'later' : 'down';
}

/** As the field for a time and a date wants it, by the clock of this device. */
function localInput(instant: Date): string {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
