import { useMutation } from '@tanstack/react-query';
import type { CorrectionEntry } from '#contract/corrections.ts';
import { undoCorrection } from '#web/api/corrections.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { Button } from '#web/ui/button.tsx';

interface CorrectionsProps {
  videoId: string;
  corrections: readonly CorrectionEntry[];
  /** Hears what the film is called then. */
  onUndone: (name: string) => void;
}

/** What people changed of the film, newest first. */
export function Corrections({ videoId, corrections, onUndone }: CorrectionsProps) {
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
