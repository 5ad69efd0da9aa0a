import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FaceEntry } from '#contract/corrections.ts';
import { forgetPerson } from '#web/api/corrections.ts';
import { useThumbnailUrl } from '#web/api/thumbnails.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import './name-people.css';

/** Who may be forgotten: a face, or only a name. */
export type Leaving = Pick<FaceEntry, 'name' | 'isNamed'> & ({ mark: null; thumbnailId?: never } | Pick<FaceEntry, 'mark' | 'thumbnailId'>);

interface ForgetPersonProps {
  videoId: string;
  person: Leaving;
  onForgotten: (said: string) => void;
  onClose: () => void;
}

/** Asks before a person goes for good, and in which films; says then that they are gone, and which backups do not know it yet. */
export function ForgetPerson({ videoId, person: { mark, name, isNamed, thumbnailId }, onForgotten, onClose }: ForgetPersonProps) {
  const urlOf = useThumbnailUrl();
  const [scope, setScope] = useState<'film' | 'archive'>('film');
  const forgetting = useMutation({
    mutationFn: () => forgetPerson(videoId, { mark, name, everywhere: scope === 'archive' }),
    onSuccess: ({ untoldBackups }) =>
      onForgotten(
        untoldBackups.length === 0
          ? 'They are forgotten.'
          : `They are forgotten. These backups do not know it yet, run the next backup into them soon: ${untoldBackups.join(', ')}`,
      ),
    onError: (reason) => onForgotten(`Nobody was forgotten. ${reason.message}`),
    onSettled: onClose,
  });
  return (
    <Confirm
      question={`Forget ${name} for good?`}
      action="Forget for good"
      busy={forgetting.isPending}
      onConfirm={() => forgetting.mutate()}
      onCancel={onClose}
    >
      {thumbnailId && <img className="forget-picture" src={urlOf(videoId, thumbnailId)} alt="" width={72} height={72} />}
      {isNamed && (
        <Segmented
          label="Where"
          value={scope}
          options={[
            { value: 'film', label: 'In this film' },
            { value: 'archive', label: 'In every film' },
          ]}
          onChange={setScope}
        />
      )}
      <p>
        Their pictures and what tells their face go{isNamed && ', with the name, what editors changed by it, and where activity says it'}.
        No later look at a film and no backup brings them back.
        {isNamed && ' Nobody can be given this name there again, not even a namesake.'}
      </p>
      <p>The film itself stays as it is: what it shows, and what is said and written in it. This cannot be undone.</p>
    </Confirm>
  );
}
