import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FactName, NameKind } from '#contract/corrections.ts';
import type { FilmOnDesk, FilmVisibility } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { correctFact, correctName } from '#web/api/corrections.ts';
import { deleteFilm, restoreFilm } from '#web/api/deletions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showFilmTo } from '#web/api/visibility.ts';
import { TypingModal } from '#web/components/ask-before-leaving.tsx';
import { nameCount } from '#web/components/text/count-wording.ts';
import { type Decision, shownBy, VisibilityChoice } from '#web/components/visibility-choice.tsx';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { createStore, type Store, useStore } from '#web/ui/store.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import {
  type DetailChange,
  describeUndo,
  factsToChange,
  findFilmsWithoutName,
  forEachFilm,
  isNames,
  type Named,
  outcomeOf,
  takeBack,
} from './for-each-film.ts';

interface ChangeFilmsProps {
  films: readonly FilmOnDesk[];
  onNoneChosen: () => void;
  /** Some were changed; these were not. */
  onLeft: (ids: readonly string[]) => void;
}

/** What is done with several films at once, each in a window of its own; every change is one of its own, and one press takes them back. */
export function ChangeFilms({ films, onNoneChosen, onLeft }: ChangeFilmsProps) {
  const [open, setOpen] = useState<'detail' | 'visibility' | 'deleting' | null>(null);
  const close = () => setOpen(null);
  const done: WindowProps['onDone'] = (left) => {
    if (left.length > 0) return onLeft(left);
    close();
    onNoneChosen();
  };
  return (
    <div className="films-bar">
      <p role="status">{nameCount(films.length, 'video')} selected</p>
      <Button look="primary" size="small" onClick={() => setOpen('detail')}>
        Edit a detail
      </Button>
      <Button look="outline" size="small" onClick={() => setOpen('visibility')}>
        Change visibility
      </Button>
      <Button look="outline" size="small" onClick={() => setOpen('deleting')}>
        Delete
      </Button>
      <Button look="ghost" size="small" onClick={onNoneChosen}>
        Clear selection
      </Button>
      {open === 'detail' && <ChangeDetail films={films} onDone={done} onClose={close} />}
      {open === 'visibility' && <ChangeVisibility films={films} onDone={done} onClose={close} />}
      {open === 'deleting' && <DeleteFilms films={films} onDone={done} onClose={close} />}
    </div>
  );
}

interface WindowProps {
  films: readonly FilmOnDesk[];
  /** Hears which films were not changed. */
  onDone: (left: readonly string[]) => void;
  onClose: () => void;
}

interface OneFilm extends Named {
  readonly id: string;
}

interface Changing<T extends OneFilm> {
  /** One change for each film that it is about. */
  readonly find: () => Promise<readonly T[]>;
  readonly act: (one: T) => Promise<unknown>;
  /** The way back. */
  readonly undo: (one: T) => Promise<unknown>;
  readonly said: (count: number) => string;
  readonly onDone: WindowProps['onDone'];
}

/** Changes one film after the other, tells how far it is, and offers to take all of it back. `fault`: why it did not begin, or which film was refused. */
function useChangeOfMany<T extends OneFilm>() {
  const [done] = useState(() => createStore(0));
  const undoing = useMutation({
    mutationFn: ({ made, undo }: { made: readonly T[]; undo: Changing<T>['undo'] }) => forEachFilm(made.toReversed(), undo, () => {}),
    onSuccess: (result, { undo }) => {
      const again = result.left.length === 0 ? undefined : () => undoing.mutate({ made: result.left.toReversed(), undo });
      showToast(describeUndo(result, 'video'), result.left.length > 0 ? 'unfinished' : 'done', again);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['films'] }),
  });
  const change = useMutation({
    mutationFn: async ({ find, act }: Changing<T>) => await forEachFilm(await find(), act, done.set),
    onSuccess: (result, { said, undo, onDone }) => {
      const back = result.made.length === 0 ? undefined : () => undoing.mutate({ made: result.made, undo });
      showToast(`${said(result.made.length)}${outcomeOf(result)}`, result.failed.length > 0 ? 'unfinished' : 'done', back);
      onDone(result.left.map(({ id }) => id));
    },
    onSettled: () => {
      done.set(0);
      void queryClient.invalidateQueries({ queryKey: ['films'] });
    },
  });
  const fault = change.error?.message ?? (change.data && (outcomeOf(change.data).trim() || undefined));
  return { change, done, fault };
}

interface ChangeFormProps {
  title: string;
  films: readonly FilmOnDesk[];
  /** Under way it goes on while other pages are looked at, and its window stays open. */
  busy: boolean;
  isTyped: boolean;
  /** How many films are done. */
  done: Store<number>;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A window that asks what to change of these films, changes it, and says how far it is. */
function ChangeForm({ title, films, busy, isTyped, done, onSave, onClose, children }: ChangeFormProps) {
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave();
  };
  return (
    <TypingModal title={title} isUnsaved={() => isTyped && !busy} onClose={() => !busy && onClose()}>
      <form className="change-films" onSubmit={save}>
        {children}
        <Button look="primary" type="submit" busy={busy}>
          Change {nameCount(films.length, 'video')}
        </Button>
        <Progress done={done} of={films.length} />
      </form>
    </TypingModal>
  );
}

/** Beside the form: what is counted draws itself anew, and nothing else. */
function Progress({ done, of }: { done: Store<number>; of: number }) {
  const count = useStore(done);
  return <p role="status">{count > 0 && `${count.toLocaleString('en')} of ${of.toLocaleString('en')}`}</p>;
}

const details: ReadonlyArray<{ detail: FactName | NameKind; label: string }> = [
  { detail: 'place', label: 'Place' },
  { detail: 'recordedAt', label: 'Recorded, such as 1969, 1969-07 or 1969-07-20' },
  { detail: 'rights', label: 'Rights' },
  { detail: 'language', label: 'Language, such as en or pt-BR' },
  { detail: 'description', label: 'Description' },
  { detail: 'labels', label: 'Add a label' },
  { detail: 'brands', label: 'Add a brand' },
  { detail: 'people', label: 'Add a person' },
];

function ChangeDetail({ films, onDone, onClose }: WindowProps) {
  const [detail, setDetail] = useState<FactName | NameKind>('place');
  const [says, setSays] = useState('');
  const { change, done, fault } = useChangeOfMany<DetailChange>();
  const correct = ({ id, replaces, says: said }: DetailChange) =>
    isNames(detail) ? correctName(id, { kind: detail, replaces, says: said }) : correctFact(id, { fact: detail, replaces, says: said });
  const save = () => {
    change.mutate({
      find: () =>
        isNames(detail) ? findFilmsWithoutName(films, { kind: detail, says: says.trim() }) : factsToChange(films, { fact: detail, says }),
      act: async (one) => {
        one.correction = (await correct(one)).correction;
      },
      undo: takeBack,
      said: (count) => `${nameCount(count, 'video')} changed.`,
      onDone,
    });
  };
  const label = details.find((one) => one.detail === detail)?.label ?? '';
  return (
    <ChangeForm
      title={`Change ${nameCount(films.length, 'video')}`}
      {...{ films, busy: change.isPending, isTyped: says !== '', done, onClose }}
      onSave={save}
    >
      <label className="field">
        <span className="field-label">Detail</span>
        <select
          className="field-input"
          value={detail}
          onChange={({ target }) => setDetail(details.find((one) => one.detail === target.value)?.detail ?? 'place')}
        >
          {details.map((one) => (
            <option key={one.detail} value={one.detail}>
              {one.label.split(',')[0]}
            </option>
          ))}
        </select>
      </label>
      <TextField
        label={`${label}${isNames(detail) ? '' : '; leave empty to clear'}`}
        value={says}
        required={isNames(detail)}
        fault={fault}
        onChange={({ target }) => setSays(target.value)}
      />
      <p>This replaces what each video has now; videos that already have it stay unchanged. You can undo it afterwards.</p>
    </ChangeForm>
  );
}

/** A film, and who saw it before and sees it now. */
interface Shown extends OneFilm {
  readonly film: FilmOnDesk;
  now?: FilmVisibility;
}

function ChangeVisibility({ films, onDone, onClose }: WindowProps) {
  const [decision, setDecision] = useState<Decision>({ choice: 'viewers', until: '', reason: '' });
  const { change, done, fault } = useChangeOfMany<Shown>();
  const isTyped = decision.reason.trim() !== '' || decision.until !== '';
  /** No reason given leaves those that stand there. */
  const isOther = (reason: string | null) => decision.reason.trim() !== '' && (reason ?? '') !== decision.reason.trim();
  const save = () => {
    const { shownTo, until } = shownBy(decision);
    change.mutate({
      find: async () =>
        films
          .filter(({ visibility }) => visibility.shownTo !== shownTo || visibility.until !== until || isOther(visibility.reason))
          .map((film) => ({ id: film.id, name: film.name, film })),
      act: async (one) => {
        one.now = await showFilmTo(one.film.id, { shownTo, until, reason: decision.reason.trim(), seen: one.film.visibility });
      },
      undo: ({ film: { id, visibility }, now }) => {
        const { shownTo, until, reason } = visibility;
        return showFilmTo(id, { shownTo, until, reason, seen: now ?? visibility });
      },
      said: (count) => `Visibility of ${nameCount(count, 'video')} changed.`,
      onDone,
    });
  };
  return (
    <ChangeForm
      title={`Who can see ${nameCount(films.length, 'video')}`}
      {...{ films, busy: change.isPending, isTyped, done, onClose }}
      onSave={save}
    >
      <VisibilityChoice label="Who can see them" decision={decision} onEdit={(more) => setDecision({ ...decision, ...more })} />
      {fault && (
        <p className="field-message" role="alert">
          {fault}
        </p>
      )}
    </ChangeForm>
  );
}

function DeleteFilms({ films, onDone, onClose }: WindowProps) {
  const [reason, setReason] = useState('');
  const { change, done, fault } = useChangeOfMany<FilmOnDesk>();
  const remove = () =>
    change.mutate({
      find: async () => films,
      act: ({ id, name }) => deleteFilm({ id, name, reason: reason.trim() }),
      undo: ({ id }) => restoreFilm(id),
      said: (count) => `${nameCount(count, 'video')} deleted.`,
      onDone,
    });
  return (
    <Confirm
      question={`Delete ${nameCount(films.length, 'video')}?`}
      action={`Delete ${nameCount(films.length, 'video')}`}
      icon="trash-2"
      busy={change.isPending}
      onConfirm={remove}
      onCancel={onClose}
    >
      <p>Nobody can find or play them any more. You can restore them for at least {limits.deletedKeptDays} days, under Deleted.</p>
      <TextField
        label="Reason (optional)"
        value={reason}
        maxLength={limits.deletionReasonMaxCodePoints}
        fault={fault}
        onChange={({ target }) => setReason(target.value)}
      />
      <Progress done={done} of={films.length} />
    </Confirm>
  );
}
