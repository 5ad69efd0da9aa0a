import { useState } from 'react';
import { retryVideo } from '#web/api/retry-video.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Why a film could not be ingested, and the way to try again. */
export function Failure({ id, name, failure }: { id: string; name: string; failure: string }) {
  const [state, setState] = useState<'failed' | 'asking' | 'waiting'>('failed');
  // Not disabled meanwhile: the focus would be gone.
  const retry = async () => {
    if (state === 'asking') return;
    setState('asking');
    try {
      await retryVideo(id);
      setState('waiting');
      showToast(`Tried again: ${name}`);
    } catch (error) {
      setState('failed');
      showToast(error instanceof Error ? error.message : 'It was not tried again.', 'failed');
    }
  };
  if (state === 'waiting') return 'Waits for another try';
  return (
    <div className="videos-failure">
      <span title={failure}>{failure}</span>
      <Button
        look="outline"
        size="small"
        aria-busy={state === 'asking' || undefined}
        aria-label={`Try again: ${name}`}
        onClick={() => void retry()}
      >
        Try again
      </Button>
    </div>
  );
}
