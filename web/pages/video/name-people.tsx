import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { FaceEntry } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { facesOf, namePerson } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useThumbnailUrl } from '#web/api/thumbnails.ts';
import { formatTimeCode } from '#web/embed/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import './name-people.css';

/** The faces that were found in the film, each with a field for whose it is. */
export function NamePeople({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const found = useQuery(facesOf(videoId));
  const [said, setSaid] = useState('');
  return (
    <Modal title="People" onClose={onClose}>
      {found.isPending && <Spinner />}
      {found.data?.faces.length === 0 && <p>No faces were found in this film.</p>}
      <p className="name-people-said" role={found.isError ? 'alert' : 'status'}>
        {found.isError ? found.error.message : said}
      </p>
      <ul className="name-people">
        {found.data?.faces.map((face) => (
          <Face key={face.mark} videoId={videoId} face={face} onNamed={(name) => setSaid(`Named ${name}.`)} />
        ))}
      </ul>
    </Modal>
  );
}

function Face({ videoId, face, onNamed }: { videoId: string; face: FaceEntry; onNamed: (name: string) => void }) {
  const { mark, name, isNamed, thumbnailId, startMs, appearances } = face;
  const urlOf = useThumbnailUrl();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (isNamed ? name : '');
  const naming = useMutation({
    mutationFn: () => namePerson(videoId, { mark, replaces: name, name: text }),
    onSuccess: (kept) => {
      setTyped(null);
      onNamed(kept);
    },
    onError: (reason) => {
      // What was typed stays, and would replace the name that is there now.
      if (reason instanceof CallFailed && reason.status !== 400) void queryClient.invalidateQueries(facesOf(videoId));
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!naming.isPending) naming.mutate();
  };
  return (
    <li>
      <img src={urlOf(videoId, thumbnailId)} alt="" width={72} height={72} />
      <form onSubmit={save}>
        <TextField
          label={isNamed ? 'Name' : name}
          value={text}
          maxLength={2 * limits.personNameMaxCodePoints}
          fault={naming.error?.message}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button look="outline" size="small" type="submit" aria-busy={naming.isPending || undefined} aria-label={`Save: ${name}`}>
          Save
        </Button>
      </form>
      <p className="name-people-about">
        First seen at {formatTimeCode(startMs / 1_000)}, {appearances === 1 ? 'once' : `${appearances} times`}
      </p>
    </li>
  );
}
