import { Button } from '#web/ui/button.tsx';

/** In the place of what could not be loaded: why, and the way to ask again. */
export function LoadFailed({ says, onRetry }: { says: string; onRetry: () => unknown }) {
  return (
    <div className="table-failed" role="alert">
      <p>{says}</p>
      <Button look="outline" onClick={() => void onRetry()}>
        Try again
      </Button>
    </div>
  );
}
