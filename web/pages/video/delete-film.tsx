import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { limits } from '#contract/limits.ts';
import { deleteFilm } from '#web/api/deletions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { paths } from '#web/paths.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { watchableVideo } from './video-queries.ts';

/** Asks, deletes the film, says so, and leaves its page. */
export function DeleteFilm({ videoId, name, onClose }: { videoId: string; name: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => deleteFilm({ id: videoId, name, reason }),
    onSuccess: () => {
      showToast(`Deleted: ${name}. It can be brought back for ${limits.deletedKeptDays} days.`);
      void navigate(paths.deskDeleted);
      queryClient.removeQueries(watchableVideo(videoId));
    },
  });
  return (
    <Confirm
      question="Delete this film?"
      action="Delete film"
      icon="trash-2"
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>
        <bdi>“{name}”</bdi> is found and played by nobody from now on. For {limits.deletedKeptDays} days it can be brought back as it is, on
        the desk under Deleted; then it is erased with its original.
      </p>
      <TextField
        label="Why, if you like"
        value={reason}
        maxLength={limits.deletionReasonMaxCodePoints}
        fault={removal.error?.message}
        onChange={({ target }) => setReason(target.value)}
      />
    </Confirm>
  );
}
