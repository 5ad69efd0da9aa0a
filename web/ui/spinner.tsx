/** Says "working" to the eye; give `label` where nothing else says it to a screen reader, and to the eye where nothing may move. */
export function Spinner({ label }: { label?: string }) {
  if (!label) return <span className="spinner" aria-hidden="true" />;
  return (
    <span className="spinner-said" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only motion-reduce:not-sr-only">{label}</span>
    </span>
  );
}
