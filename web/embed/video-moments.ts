import type { MatchKind } from '#contract/match-kinds.ts';
import type { Insights, Instance, Provenance } from '#contract/video-service/answers.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';

/** A text at a time in the video: a spoken or written line, or one appearance of a person, label or brand. */
export interface VideoMoment {
  readonly id: string;
  /** What it is known by among the found ones, as `toLineKey` writes it. */
  readonly line: string;
  readonly kind: MatchKind;
  readonly startInSeconds: number;
  readonly endInSeconds: number;
  readonly text: string;
  /** Who says it, when that is known. */
  readonly speaker: string | null;
  /** Of what is said, by its code; null where nobody knows, and for everything else. */
  readonly language: string | null;
  /** Undefined where it came with the film. */
  readonly provenance: Provenance | undefined;
  /** 0 to 1. */
  readonly confidence: number;
}

/** By what a line of the index document is known: its kind, and its id among those. */
export const toLineKey = (kind: MatchKind, id: number) => `${kind}-${id}`;

/** Every moment of a video in time order. */
export function listMoments(insights: Insights): VideoMoment[] {
  const speakers = new Map(insights.speakers?.map((speaker) => [speaker.id, speaker.name]));
  const spoken = (insights.transcript ?? []).flatMap((line) =>
    listAppearances(
      { kind: 'Transcript', text: line.text, speaker: speakers.get(line.speakerId) ?? null, language: line.language || null },
      line,
    ),
  );
  const written = (insights.ocr ?? []).flatMap((line) => listAppearances({ ...unsaid, kind: 'Ocr', text: line.text }, line));
  const named = [
    ...(insights.faces ?? []).flatMap((face) => listAppearances({ ...unsaid, kind: 'Face', text: face.name }, face)),
    ...(insights.labels ?? []).flatMap((label) => listAppearances({ ...unsaid, kind: 'Annotations', text: label.name }, label)),
    ...(insights.brands ?? []).flatMap((brand) => listAppearances({ ...unsaid, kind: 'Brand', text: brand.name }, brand)),
  ];
  return [...spoken, ...written, ...named].sort((a, b) => a.startInSeconds - b.startInSeconds);
}

const unsaid = { speaker: null, language: null };

/** Where the moment that plays at this second stands in a list in time order, -1 before the first. */
export function indexAtTime(moments: readonly { readonly startInSeconds: number }[], seconds: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.startInSeconds ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The line that stands at a second: what is said last by then, else what is written; null in a silence. */
export function lineAt(moments: readonly VideoMoment[], seconds: number): VideoMoment | null {
  const standing = moments.filter(
    ({ startInSeconds, endInSeconds }) => startInSeconds <= seconds && seconds < endInSeconds + silenceSeconds,
  );
  return standing.findLast(({ kind }) => kind === 'Transcript') ?? standing.findLast(({ kind }) => kind === 'Ocr') ?? null;
}

// A line is still meant for a moment after its last word.
const silenceSeconds = 1;

function listAppearances(
  said: Pick<VideoMoment, 'kind' | 'text' | 'speaker' | 'language'>,
  element: {
    id: number;
    instances: readonly (Instance & { confidence?: number })[];
    confidence?: number;
    provenance?: Provenance | undefined;
  },
): VideoMoment[] {
  const line = toLineKey(said.kind, element.id);
  return element.instances.map((instance, index) => ({
    ...said,
    provenance: element.provenance,
    confidence: element.confidence ?? instance.confidence ?? 1,
    id: `${line}-${index}`,
    line,
    startInSeconds: parseTimeCode(instance.start),
    endInSeconds: parseTimeCode(instance.end),
  }));
}
