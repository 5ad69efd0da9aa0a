import type { ReactNode } from 'react';
import type { FilmVisibility } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { TextField } from '#web/ui/text-field.tsx';

type Choice = 'everybody' | 'viewers' | 'later' | 'down';

/** Who is to see films, as it is chosen. */
export interface Decision {
  readonly choice: Choice;
  /** As the field for it wants it. */
  readonly until: string;
  readonly reason: string;
}

const choices: ReadonlyArray<{ value: Choice; label: string }> = [
  { value: 'everybody', label: 'Everyone' },
  { value: 'viewers', label: 'Viewers' },
  { value: 'later', label: 'From a date' },
  { value: 'down', label: 'Taken down' },
];

interface VisibilityChoiceProps {
  label: string;
  decision: Decision;
  /** The reason that is kept, where a window asks before another is lost. */
  keptReason?: string;
  onEdit: (more: Partial<Decision>) => void;
  /** Between the choices and what is asked about the one that is made. */
  children?: ReactNode;
}

/** Everybody or not, from when on, and why. */
export function VisibilityChoice({ label, decision: { choice, until, reason }, keptReason, onEdit, children }: VisibilityChoiceProps) {
  return (
    <>
      <Segmented label={label} value={choice} options={choices} onChange={(choice) => onEdit({ choice })} />
      {children}
      {choice === 'later' && (
        <TextField
          label="From (this device’s time)"
          type="datetime-local"
          required
          value={until}
          onChange={({ target }) => onEdit({ until: target.value })}
        />
      )}
      {choice !== 'everybody' && (
        <TextField
          label={choice === 'down' ? 'Reason' : 'Reason (optional)'}
          value={reason}
          data-kept={keptReason}
          maxLength={limits.deletionReasonMaxCodePoints}
          required={choice === 'down'}
          onChange={({ target }) => onEdit({ reason: target.value })}
        />
      )}
    </>
  );
}

/** Who sees films where that is decided. */
export function shownBy({ choice, until }: Decision): Pick<FilmVisibility, 'shownTo' | 'until'> {
  return {
    shownTo: choice === 'everybody' || choice === 'viewers' ? choice : 'editors',
    until: choice === 'later' ? new Date(until).toISOString() : null,
  };
}
