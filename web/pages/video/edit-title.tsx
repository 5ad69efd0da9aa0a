import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { correctionsOf, correctTitle, undoCorrection } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import './edit-title.css';
import type { CorrectionEntry } from '#contract/corrections.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { renameWatched } from './video-queries.ts';

/** Another title for the film, and every correction of it, each to be taken back. */
export function EditTitle({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(correctionsOf(videoId));
  const [said, setSaid] = useState('');
  const saying = useRef<HTMLParagraphElement>(null);
  const renamed = (name: string, sentence: string) => {
    renameWatched(videoId, name);
    setSaid(sentence);
  };
  // The button that was pressed is gone with what it undid.
  const undone = (name: string) => {
    renamed(name, 'Taken back.');
    saying.current?.focus();
  };
  return (
    <Modal title="Title" onClose={onClose}>
      {found.data && (
        <TitleForm videoId={videoId} title={found.data.name} onSaved={(name) => renamed(name, 'Title changed.')} onUnchanged={onClose} />
      )}
      {found.isPending && <Spinner />}
      <p className="edit-title-said" role={found.isError ? 'alert' : 'status'} ref={saying} tabIndex={-1}>
        {found.isError ? found.error.message : said}
      </p>
      {found.data && <Corrections videoId={videoId} corrections={found.data.corrections} onUndone={undone} />}
    </Modal>
  );
}

interface TitleFormProps {
  videoId: string;
  /** As it is now. */
  title: string;
  onSaved: (name: string) => void;
  onUnchanged: () => void;
}

function TitleForm({ videoId, title, onSaved, onUnchanged }: TitleFormProps) {
  const [edited, setEdited] = useState<string | null>(null);
  const text = edited ?? title;
  const change = useMutation({
    mutationFn: () => correctTitle(videoId, { replaces: title, title: text }),
    onSuccess: (name) => {
      setEdited(null);
      onSaved(name);
    },
    onError: (reason) => {
      // What was typed stays, and would replace the title that is there now.
      if (reason instanceof CallFailed && reason.code === 'version_mismatch') void queryClient.invalidateQueries(correctionsOf(videoId));
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text === title) onUnchanged();
    else if (!change.isPending) change.mutate();
  };
  return (
    <form onSubmit={save}>
      <TextField
        label="What the film is called, and found by"
        value={text}
        maxLength={2 * limits.videoNameMaxCodePoints}
        fault={change.error?.message}
        onChange={(event) => setEdited(event.target.value)}
      />
      {/* Not disabled meanwhile: the focus would be gone. */}
      <Button className="edit-title-save" look="primary" type="submit" aria-busy={change.isPending || undefined}>
        Save
      </Button>
    </form>
  );
}

interface CorrectionsProps {
  videoId: string;
  corrections: readonly CorrectionEntry[];
  /** Hears what the film is called then. */
  onUndone: (name: string) => void;
}

/** What people changed of the film, newest first. */
function Corrections({ videoId, corrections, onUndone }: CorrectionsProps) {
  if (corrections.length === 0) return null;
  return (
    <section className="corrections" aria-labelledby="corrections">
      <h2 id="corrections">Corrections</h2>
      <ol>
        {corrections.map((correction) => (
          <CorrectionRow key={correction.id} videoId={videoId} correction={correction} onUndone={onUndone} />
        ))}
      </ol>
    </section>
  );
}

interface CorrectionRowProps extends Pick<CorrectionsProps, 'videoId' | 'onUndone'> {
  correction: CorrectionEntry;
}

function CorrectionRow({ videoId, correction, onUndone }: CorrectionRowProps) {
  const { id, replaces, says, state, by, at, undoneBy, undoneAt } = correction;
  const undoing = useMutation({
    mutationFn: () => undoCorrection(videoId, id),
    onSuccess: onUndone,
  });
  const text = says ?? replaces;
  return (
    <li className={state === 'standing' ? undefined : 'corrections-past'}>
      <div>
        <p>
          <bdi>{text}</bdi>
        </p>
        <p className="corrections-about">
          {says === null ? 'confirmed' : 'instead of'} {says !== null && <bdi>“{replaces}”</bdi>} ·{' '}
          <bdi>{by || 'Somebody who is gone'}</bdi> <LocalTime at={at} />
        </p>
        {state === 'unfitting' && <p className="corrections-about">No longer fits: what it changed is not there any more.</p>}
        {undoing.error && (
          <p className="field-message" role="alert">
            {undoing.error.message}
          </p>
        )}
        {undoneAt && (
          <p className="corrections-about">
            Taken back by <bdi>{undoneBy || 'somebody who is gone'}</bdi> <LocalTime at={undoneAt} />
          </p>
        )}
      </div>
      {state !== 'undone' && (
        <Button
          look="outline"
          size="small"
          aria-busy={undoing.isPending || undefined}
          aria-label={`Undo: ${text}`}
          onClick={() => !undoing.isPending && undoing.mutate()}
        >
          Undo
        </Button>
      )}
    </li>
  );
}
