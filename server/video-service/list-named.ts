import type { Provenance } from '#contract/video-service/answers.ts';
import type { NamesByEditors } from '#domain/moments/corrections.ts';
import type { Moment, MomentKind } from '#domain/moments/moment.ts';
import type { NamedFace } from '#domain/moments/name-faces.ts';
import type { Video } from '#domain/videos/video.ts';

/** Somebody or something that is seen in a film, and when. */
export interface NamedInFilm {
  /** From 1. */
  readonly id: number;
  readonly name: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly provenance: Provenance;
  readonly times: readonly { readonly startMs: number; readonly endMs: number; readonly confidence: number }[];
}

/** What tells who and what is in a film. */
export interface FilmOfNames {
  readonly video: Video;
  readonly moments: readonly Moment[];
  readonly byEditors?: NamesByEditors | undefined;
}

/** The film's own list of the names of a kind. */
const catalogued = { Face: 'people', Annotations: 'labels', Brand: 'brands' } as const;

/** Lists everybody and everything of a kind that a moment or the catalogue names, each once; what has no moment is there for the whole film. */
export function listNamed({ video, moments, byEditors }: FilmOfNames, kind: keyof typeof catalogued & MomentKind): NamedInFilm[] {
  const ofKind = moments.filter((moment) => moment.kind === kind);
  const names = [...new Set([...ofKind.map(({ text }) => text), ...video[catalogued[kind]]])];
  const wholeFilm = { startMs: 0, endMs: video.durationInSeconds * 1_000, confidencePercent: 100 };
  return names.map((name, n) => {
    const own = ofKind.filter(({ text }) => text === name);
    const seen = own.length > 0 ? own : [wholeFilm];
    const times = seen.map(({ startMs, endMs, confidencePercent }) => ({ startMs, endMs, confidence: confidencePercent / 100 }));
    const confidence = Math.max(...times.map((time) => time.confidence));
    // What an editor said stands, also where a machine finds it later.
    const isByEditor = byEditors?.[catalogued[kind]].includes(name) ?? false;
    const provenance = isByEditor ? 'corrected' : (provenanceOf(own) ?? 'catalogue');
    return { id: n + 1, name, confidence, provenance, times };
  });
}

/** Lists everybody who is named, then the faces that nobody has named, each with their faces that were found; ids as in the index document. */
export function listPeople({ faces, ...film }: FilmOfNames & { readonly faces: readonly NamedFace[] }) {
  const named = listNamed(film, 'Face');
  const nameless = faces
    .filter(({ isNamed }) => !isNamed)
    .map((face, n) => ({
      id: named.length + n + 1,
      name: face.name,
      confidence: face.confidencePercent / 100,
      provenance: 'machine' as const,
      times: face.tracks,
    }));
  return [...named, ...nameless].map((person) => ({ ...person, faces: faces.filter((face) => face.name === person.name) }));
}

/** Whether nobody but a machine found these moments of one thing, and what people made of them: one that was corrected stands for all. */
export function provenanceOf(moments: readonly Pick<Moment, 'source' | 'review' | 'isRough'>[]): Provenance | undefined {
  if (moments.length === 0) return undefined;
  if (moments.some(({ review }) => review === 'corrected')) return 'corrected';
  if (moments.every(({ review }) => review === 'verified')) return 'verified';
  if (moments.every(({ isRough }) => isRough)) return 'rough';
  return moments.every(({ source }) => source === 'machine') ? 'machine' : undefined;
}

/** Lists who speaks in a film, in the order in which they begin; the service counts them from 1. */
export function listSpeakers(moments: readonly Moment[]): string[] {
  return [...new Set(moments.flatMap(({ kind, speaker }) => (kind === 'Transcript' && speaker ? [speaker] : [])))];
}
