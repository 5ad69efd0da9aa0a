import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { FaceEntry } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { can } from '#contract/roles.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { facesOf, mergeFaces, namePerson, undoCorrection } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useSession } from '#web/api/session.ts';
import { useThumbnailUrl } from '#web/api/thumbnails.ts';
import { TypingModal } from '#web/components/ask-before-leaving.tsx';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ForgetPerson, type Leaving } from './forget-person.tsx';
import { useSaid } from './use-said.ts';
import './name-people.css';

/** The faces that were found in the film, each with a field for whose it is. */
export function NamePeople({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(facesOf(videoId));
  const [said, setSaid] = useSaid(videoId);
  const [merged, setMerged] = useState<number | null>(null);
  const undoing = useMutation({
    mutationFn: (correction: number) => undoCorrection(videoId, correction),
    onSuccess: () => setSaid('Undone: they are two people again.'),
    onError: (reason) => setSaid(reason.message),
    onSettled: () => {
      setMerged(null);
      void queryClient.invalidateQueries(facesOf(videoId));
    },
  });
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const session = useSession();
  const mayForget = session.state === 'signed-in' && can(session.user.roles, 'admin');
  return (
    <TypingModal title="People" onClose={onClose}>
      {found.isPending && <Spinner />}
      {found.data?.faces.length === 0 && <p>No faces were found in this video.</p>}
      <p className="name-people-said" role={found.isError ? 'alert' : 'status'}>
        {found.isError ? found.error.message : said}
      </p>
      {merged !== null && (
        <Button look="outline" size="small" busy={undoing.isPending} onClick={() => undoing.mutate(merged)}>
          Undo merge
        </Button>
      )}
      <datalist id="people-of-film">
        {listKnownNames(found.data).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className="name-people">
        {found.data?.faces.map((face) => (
          <Face
            // Stays while its name changes, and what is typed and where the focus is with it; a face that was parted is two of one mark.
            key={`${face.mark} ${face.startMs}`}
            videoId={videoId}
            face={face}
            others={(found.data?.faces ?? []).filter((one) => !face.isNamed && !one.isNamed && one.mark !== face.mark)}
            onNamed={(text, correction) => {
              setSaid(text);
              setMerged(correction ?? null);
            }}
            onForget={mayForget ? () => setLeaving(face) : undefined}
          />
        ))}
      </ul>
      {mayForget && (found.data?.others ?? []).length > 0 && (
        <section className="name-people-others" aria-labelledby="named-beside">
          <h2 id="named-beside">Named without a face</h2>
          {found.data?.others.map((name) => (
            <p key={name} className="name-people-about">
              <bdi>{name}</bdi>
              <button type="button" className="link" onClick={() => setLeaving({ name, isNamed: true, mark: null })}>
                Forget {name}…
              </button>
            </p>
          ))}
        </section>
      )}
      {leaving && <ForgetPerson videoId={videoId} person={leaving} onForgotten={setSaid} onClose={() => setLeaving(null)} />}
    </TypingModal>
  );
}

/** To be chosen again: faces that are given one name are one person. */
function listKnownNames(found: { faces: readonly FaceEntry[]; others: readonly string[] } | undefined): string[] {
  const named = (found?.faces ?? []).filter(({ isNamed }) => isNamed).map(({ name }) => name);
  return [...new Set([...named, ...(found?.others ?? [])])].toSorted();
}

interface FaceProps {
  videoId: string;
  face: FaceEntry;
  /** Faces that may be the same person, where neither has a name. */
  others: readonly FaceEntry[];
  /** Hears in a sentence what was said of them, and by which correction two faces are one. */
  onNamed: (said: string, merged?: number) => void;
  /** Undefined for who may not. */
  onForget: (() => void) | undefined;
}

function Face({ videoId, face, others, onNamed, onForget }: FaceProps) {
  const { mark, name, isNamed, thumbnailId, startMs, appearancesMs, proposals } = face;
  const urlOf = useThumbnailUrl();
  const [typed, setTyped] = useState<string | null>(null);
  const namedSo = isNamed ? name : '';
  const text = typed ?? namedSo;
  const naming = useMutation({
    // What it was when it was asked: what another press or editor changes comes before the answer is told.
    mutationFn: async ({ called, appearances }: Naming) => {
      const kept = await namePerson(videoId, { mark, replaces: name, name: called, appearances });
      return { kept, was: name, seen: appearancesMs.length };
    },
    onSuccess: ({ kept, was, seen }, { appearances }) => {
      setTyped(null);
      const whom = appearances ? `${appearances.length} of ${seen} appearances` : was;
      onNamed(kept === '' ? `No longer named ${was}${appearances ? `: ${whom}` : ''}.` : `Named ${kept}${appearances ? `: ${whom}` : ''}.`);
    },
    onError: (reason) => {
      // What was typed stays, and would replace the name that is there now.
      if (reason instanceof CallFailed && reason.status !== 400) void queryClient.invalidateQueries(facesOf(videoId));
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    naming.mutate({ called: text });
  };
  return (
    <li>
      <img src={urlOf(videoId, thumbnailId)} alt="" width={72} height={72} />
      <div className="name-people-entry">
        <form onSubmit={save}>
          <TextField
            label={isNamed ? 'Name' : name}
            list="people-of-film"
            autoComplete="off"
            data-kept={namedSo}
            value={text}
            maxLength={2 * limits.personNameMaxCodePoints}
            fault={naming.error?.message}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button look="outline" size="small" type="submit" busy={naming.isPending} aria-label={`Save: ${name}`}>
            Save
          </Button>
        </form>
        {proposals.map((proposal) => (
          <Button
            key={proposal.name}
            className="name-people-proposal"
            look="outline"
            size="small"
            busy={naming.isPending}
            onClick={(event) => {
              // This button goes with the proposal; the field stays.
              event.currentTarget.closest('li')?.querySelector('input')?.focus();
              naming.mutate({ called: proposal.name });
            }}
          >
            Maybe {proposal.name} — {reasonOf(proposal)}
          </Button>
        ))}
        <p className="name-people-about">
          First seen at {formatTimeCode(startMs / 1_000)}, {appearancesMs.length === 1 ? 'once' : `${appearancesMs.length} times`}
          {isNamed && (
            <button type="button" className="link" onClick={() => naming.mutate({ called: '' })}>
              Not {name}
            </button>
          )}
          {onForget && (
            <button type="button" className="link" onClick={onForget}>
              Forget {name}…
            </button>
          )}
        </p>
        {others.length > 0 && <SamePerson videoId={videoId} face={face} others={others} onMerged={onNamed} />}
        {appearancesMs.length > 1 && (
          <SomeAppearances
            key={appearancesMs.join()}
            name={name}
            appearancesMs={appearancesMs}
            busy={naming.isPending}
            onNamed={naming.mutate}
          />
        )}
      </div>
    </li>
  );
}

interface SamePersonProps extends Pick<FaceProps, 'videoId' | 'face' | 'others'> {
  onMerged: FaceProps['onNamed'];
}

/** Puts two faces together that are one person, of whom nobody knows the name. */
function SamePerson({ videoId, face, others, onMerged }: SamePersonProps) {
  const urlOf = useThumbnailUrl();
  const merging = useMutation({
    mutationFn: (other: FaceEntry) => mergeFaces(videoId, face, other),
    onSuccess: (correction, other) => onMerged(`${face.name} and ${other.name} are one person.`, correction),
    onError: (reason) => {
      if (reason instanceof CallFailed && reason.status !== 400) void queryClient.invalidateQueries(facesOf(videoId));
    },
  });
  return (
    <details className="name-people-some">
      <summary>Same person as another face</summary>
      <ul className="name-people-same">
        {others.map((other) => (
          <li key={other.mark}>
            <Button
              look="outline"
              size="small"
              busy={merging.isPending}
              aria-label={`${face.name} is ${other.name}, ${formatTimeCode(other.startMs / 1_000)}`}
              onClick={(event) => {
                // This button goes with the face that is no other any more; the field stays.
                event.currentTarget.closest('.name-people-entry')?.querySelector('input')?.focus();
                merging.mutate(other);
              }}
            >
              <img src={urlOf(videoId, other.thumbnailId)} alt="" width={32} height={32} />
              {other.name}, {formatTimeCode(other.startMs / 1_000)}
            </Button>
          </li>
        ))}
      </ul>
      {merging.error && (
        <p className="field-message" role="alert">
          {merging.error.message}
        </p>
      )}
    </details>
  );
}

interface Naming {
  called: string;
  /** When those begin that are meant; left out for all of them. */
  appearances?: number[];
}

interface SomeAppearancesProps extends Pick<FaceEntry, 'name' | 'appearancesMs'> {
  busy: boolean;
  onNamed: (naming: Naming) => void;
}

/** Tells some appearances of a face from the rest: they are of somebody else, who has a name or none yet. */
function SomeAppearances({ name, appearancesMs, busy, onNamed }: SomeAppearancesProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [typed, setTyped] = useState('');
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (chosen.length > 0) onNamed({ called: typed.trim(), appearances: [...chosen] });
  };
  const choose = (startMs: number, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, startMs] : before.filter((one) => one !== startMs)));
  return (
    <details className="name-people-some">
      <summary>Some of these are someone else</summary>
      <form onSubmit={save}>
        <fieldset>
          <legend className="sr-only">Appearances of {name}</legend>
          {appearancesMs.map((startMs) => (
            <label key={startMs} className="tc">
              <input type="checkbox" checked={chosen.includes(startMs)} onChange={({ target }) => choose(startMs, target.checked)} />
              {formatTimeCode(startMs / 1_000)}
            </label>
          ))}
        </fieldset>
        <TextField
          label="Their name (optional)"
          list="people-of-film"
          autoComplete="off"
          data-kept=""
          value={typed}
          maxLength={2 * limits.personNameMaxCodePoints}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button look="outline" size="small" type="submit" busy={busy} aria-disabled={chosen.length === 0 || undefined}>
          Not {name}
        </Button>
      </form>
    </details>
  );
}

/** By what a name is proposed. */
function reasonOf({ by, title, percent, startMs }: FaceEntry['proposals'][number]): string {
  if (by === 'face') return `${percent}% match in ${title}`;
  return `${by === 'speech' ? 'named in speech' : 'lower third'} at ${formatTimeCode((startMs ?? 0) / 1_000)}`;
}
