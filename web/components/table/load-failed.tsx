import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** In the place of what could not be loaded: why, and the way to ask again. `onRetry` comes back once that is answered. */
export function LoadFailed({ says, onRetry }: { says: string; onRetry: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      await onRetry();
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className="table-failed" role="alert">
      <p>{says}</p>
      <Button look="outline" busy={isAsking} onClick={() => void ask()}>
        Try again
      </Button>
    </div>
  );
}
