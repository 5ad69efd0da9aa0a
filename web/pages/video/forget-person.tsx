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
          ? 'They have been forgotten.'
          : `They have been forgotten. These backups have not been updated; run the next backup to them soon: ${untoldBackups.join(', ')}`,
      ),
    onError: (reason) => onForgotten(`Nothing was changed. ${reason.message}`),
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
            { value: 'film', label: 'In this video' },
            { value: 'archive', label: 'In every video' },
          ]}
          onChange={setScope}
        />
      )}
      <p>
        Their pictures and face data are deleted
        {isNamed && ', along with their name, corrections of people and details that use it, and its mentions in the activity'}. Analysing a
        video again or restoring a backup does not bring them back.
        {isNamed && ' The name cannot be used there again, not even for a namesake.'}
      </p>
      <p>The video itself stays as it is, with everything shown, said and written in it. This cannot be undone.</p>
    </Confirm>
  );
}
