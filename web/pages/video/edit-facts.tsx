import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { correctFact, correctionsOf, correctName, undoCorrection } from '#web/api/corrections.ts';
import { queryClient, renameWatched } from '#web/api/query-client.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import './edit-facts.css';
import type { CorrectionEntry, FactName, FilmFactsAsEdited, NameKind, NamesOfFilm } from '#contract/corrections.ts';
import { TypingModal } from '#web/components/ask-before-leaving.tsx';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { describeCorrection, useSaid } from './use-said.ts';

/** What is known of the film as a whole, to be changed, and every correction of it, each to be taken back. */
export function EditFacts({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(correctionsOf(videoId));
  const known = found.data;
  const [said, setSaid] = useSaid(videoId);
  const saying = useRef<HTMLParagraphElement>(null);
  const [edited, setEdited] = useState<Edited>({});
  const changed = known ? listChangedFacts(edited, known.facts) : [];
  const renamed = (name: string, sentence: string) => {
    renameWatched(videoId, name);
    setSaid(sentence);
  };
  // The button that was pressed is gone with what it undid.
  const undone = (name: string) => {
    renamed(name, 'Undone.');
    saying.current?.focus();
  };
  return (
    <TypingModal title="Title and details" isUnsaved={() => changed.length > 0} onClose={onClose}>
      {(close) => (
        <>
          {known && (
            <FactsForm {...{ videoId, facts: known.facts, edited, changed }} onEdit={setEdited} onSaved={renamed} onUnchanged={close} />
          )}
          {known && (
            <details className="edit-facts-more">
              <summary>Labels, brands, people</summary>
              {kinds.map((of) => (
                <NamesOfKind key={of.kind} {...of} {...{ videoId, names: known.names }} onChanged={setSaid} />
              ))}
            </details>
          )}
          {found.isPending && <Spinner />}
          <p className="edit-facts-said" role={found.isError ? 'alert' : 'status'} ref={saying} tabIndex={-1}>
            {found.isError ? found.error.message : said}
          </p>
          {known && <Corrections videoId={videoId} corrections={known.corrections} onUndone={undone} />}
        </>
      )}
    </TypingModal>
  );
}

/** The first is what the film is called; the others stand below it, folded away. */
const fields: readonly [fact: FactName, label: string][] = [
  ['title', 'Title'],
  ['description', 'Description'],
  ['recordedAt', 'Recorded, such as 1969, 1969-07 or 1969-07-20'],
  ['place', 'Place'],
  ['language', 'Language, such as en or pt-BR'],
  ['rights', 'Rights'],
  ['externalId', 'External id'],
];
const labels = new Map(fields);
const oneOf: Readonly<Record<NameKind, string>> = { people: 'Person', labels: 'Label', brands: 'Brand' };

interface FactsFormProps {
  videoId: string;
  /** As they are now. */
  facts: FilmFactsAsEdited;
  edited: Edited;
  /** Those that are something else than they were. */
  changed: readonly FactName[];
  onEdit: (edited: Edited) => void;
  onSaved: (title: string, sentence: string) => void;
  onUnchanged: () => void;
}

/** What was typed, and what stood there when that began: what somebody else wrote meanwhile is not replaced unseen. */
type Edited = Partial<Record<FactName, { readonly text: string; readonly over: string | undefined }>>;

function listChangedFacts(edited: Edited, facts: FilmFactsAsEdited): FactName[] {
  return fields.flatMap(([fact]) => (edited[fact] === undefined || edited[fact].text === facts[fact] ? [] : [fact]));
}

function FactsForm({ videoId, facts, edited, changed, onEdit, onSaved, onUnchanged }: FactsFormProps) {
  const [faults, setFaults] = useState<Partial<Record<FactName, string>>>({});
  const change = useMutation({
    mutationFn: async (sent: Edited) => {
      const failed = new Map<FactName, Error>();
      let now = facts;
      // One after the other, each a correction of its own: what is refused holds up none of the others.
      const asked = listChangedFacts(sent, facts);
      for (const fact of asked) {
        await correctFact(videoId, { fact, replaces: sent[fact]?.over ?? facts[fact], says: sent[fact]?.text ?? '' }).then(
          (kept) => (now = kept),
          (reason: Error) => failed.set(fact, reason),
        );
      }
      return { now, asked, failed };
    },
    onSuccess: ({ now, asked, failed }, sent) => {
      // What was typed and not kept stays, and what was typed since it was sent, over what was kept. Somebody who was told what another wrote
      // meanwhile would replace that; nobody else does.
      const left: Edited = {};
      for (const [fact] of fields) {
        const typed = edited[fact];
        const why = failed.get(fact);
        const isOthers = why instanceof CallFailed && why.code === 'version_mismatch';
        if (typed && (why || typed !== sent[fact])) left[fact] = { ...typed, over: why ? (isOthers ? undefined : typed.over) : now[fact] };
      }
      onEdit(left);
      setFaults(Object.fromEntries([...failed].map(([fact, { message }]) => [fact, message])));
      if (failed.size > 0) void queryClient.invalidateQueries(correctionsOf(videoId));
      if (failed.size < asked.length) onSaved(now.title, asked.length === 1 && asked[0] === 'title' ? 'Title saved.' : 'Saved.');
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (changed.length === 0) onUnchanged();
    else change.mutate(edited);
  };
  const field = ([fact, label]: (typeof fields)[number]) => (
    <TextField
      key={fact}
      label={label}
      value={edited[fact]?.text ?? facts[fact]}
      maxLength={2 * limits.factMaxCodePoints[fact]}
      fault={faults[fact]}
      onChange={({ target }) => {
        const before = edited[fact];
        onEdit({ ...edited, [fact]: { text: target.value, over: before ? before.over : facts[fact] } });
      }}
    />
  );
  const [title, ...details] = fields;
  return (
    <form onSubmit={save}>
      {title && field(title)}
      <details className="edit-facts-more">
        <summary>Description, place, time, language, rights</summary>
        {details.map(field)}
      </details>
      <Button className="edit-facts-save" look="primary" type="submit" busy={change.isPending}>
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

function CorrectionRow({ videoId, correction, onUndone }: Omit<CorrectionsProps, 'corrections'> & { correction: CorrectionEntry }) {
  const { id, kind, fact, names, startMs, together, replaces, says, state, by, at, undoneBy, undoneAt } = correction;
  const undoing = useMutation({ mutationFn: () => undoCorrection(videoId, id), onSuccess: onUndone });
  const text = kind === 'Poster' ? 'Another poster' : says || replaces;
  const about = names ? oneOf[names] : fact === null || fact === 'title' ? null : labels.get(fact)?.split(',')[0];
  return (
    <li className={state === 'standing' ? undefined : 'corrections-past'}>
      <div>
        <p>
          <bdi>{text}</bdi>
        </p>
        <p className="corrections-about">
          {startMs !== null && <span className="tc">{formatTimeCode(startMs / 1_000)} </span>}
          {together > 1 && `and ${together - 1} more · `}
          {about && `${about} `}
          {describeCorrection({ kind, says, replaces })}
          {says && replaces && <bdi>“{replaces}”</bdi>} · <bdi>{by || 'A deleted user'}</bdi> <LocalTime at={at} />
        </p>
        {state === 'unfitting' && <p className="corrections-about">No longer applies: what it changed is gone.</p>}
        {undoing.error && (
          <p className="field-message" role="alert">
            {undoing.error.message}
          </p>
        )}
        {undoneAt && (
          <p className="corrections-about">
            Undone by <bdi>{undoneBy || 'a deleted user'}</bdi> <LocalTime at={undoneAt} />
          </p>
        )}
      </div>
      {state !== 'undone' && (
        <Button look="outline" size="small" busy={undoing.isPending} aria-label={`Undo: ${text}`} onClick={() => undoing.mutate()}>
          Undo
        </Button>
      )}
    </li>
  );
}

/** `onChanged` hears in a sentence what was changed. */
type NamesProps = { videoId: string; names: NamesOfFilm; onChanged: (said: string) => void };

const kinds: readonly { readonly kind: NameKind; readonly label: string; readonly one: string }[] = [
  { kind: 'labels', label: 'Labels', one: 'label' },
  { kind: 'brands', label: 'Brands', one: 'brand' },
  { kind: 'people', label: 'People without a detected face', one: 'person' },
];

/** Whom or what the film names: each is called something else or taken out, and others are added. */
function NamesOfKind({ videoId, names, onChanged, kind, label, one }: NamesProps & (typeof kinds)[number]) {
  const [typed, setTyped] = useState('');
  /** The one that what is typed replaces; empty where it is added. */
  const [renamed, setRenamed] = useState('');
  const group = useRef<HTMLFieldSetElement>(null);
  const toField = () => group.current?.querySelector('input')?.focus();
  const change = useMutation({
    mutationFn: ({ replaces, says }: { replaces: string; says: string }) => correctName(videoId, { kind, replaces, says }),
    onSuccess: (_, { replaces, says }) => {
      // What was taken out may be another than the one that a name is typed for.
      if (says !== '' || renamed === replaces) rename('');
      onChanged(says === '' ? `Removed ${replaces}.` : replaces === '' ? `Added ${says}.` : `Renamed ${replaces} to ${says}.`);
      // The button that was pressed is gone with its name.
      toField();
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (typed.trim() !== '') change.mutate({ replaces: renamed, says: typed });
  };
  /** The one of this name; none where it is empty. */
  const rename = (name: string) => {
    setRenamed(name);
    setTyped(name);
    toField();
  };
  return (
    <fieldset className="edit-names" ref={group}>
      <legend>{label}</legend>
      {names[kind].length > 0 && (
        <ul>
          {names[kind].map((name) => (
            <li key={name}>
              <button type="button" aria-label={`Rename ${name}`} aria-pressed={renamed === name} onClick={() => rename(name)}>
                <bdi>{name}</bdi>
              </button>
              <button type="button" aria-label={`Remove ${name}`} onClick={() => change.mutate({ replaces: name, says: '' })}>
                <Icon name="x" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={save}>
        <TextField
          label={renamed === '' ? `Add a ${one}` : `New name for “${renamed}”`}
          data-kept={renamed}
          value={typed}
          maxLength={2 * limits.personNameMaxCodePoints}
          fault={change.error?.message}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || renamed === '') return;
            event.stopPropagation();
            event.preventDefault();
            rename('');
          }}
        />
        <Button
          look="outline"
          size="small"
          type="submit"
          busy={change.isPending}
          aria-label={renamed === '' ? `Add ${one}` : `Rename ${one}`}
        >
          {renamed === '' ? 'Add' : 'Rename'}
        </Button>
      </form>
    </fieldset>
  );
}
