import type { Provenance } from '#contract/video-service/answers.ts';
import './how-known.css';

/** A word on whether a machine found something, and whether only roughly, or what people made of it, or that a name came with the film; nothing on lines that did. */
export function ProvenanceBadge({ provenance }: { provenance: Provenance | undefined }) {
  return provenance && <span className={`badge ${provenance}`}>{provenance}</span>;
}

/** How sure a machine is of something, 0 to 1. It stands beside what it is about while that is pointed at or has the focus, and is read aloud with it. */
export function Confidence({ of, provenance }: { of: number; provenance: Provenance | undefined }) {
  // What a person wrote needs no machine's word for it.
  return (provenance === 'machine' || provenance === 'rough') && <span className="sure"> {Math.round(100 * of)}% sure</span>;
}
