import type { MatchKind } from '#contract/match-kinds.ts';
import type { Insights, Instance, Provenance, TextRange } from '#contract/video-service/answers.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import { toLineKey } from '../video-moments.ts';

/** One appearance on a lane; shares are parts of the whole film, 0 to 1. */
interface Bar {
  readonly startInSeconds: number;
  readonly startShare: number;
  readonly widthShare: number;
}

/** A name and where it appears. */
export interface Lane {
  readonly id: string;
  readonly name: string;
  readonly thumbnailId: string | null;
  readonly bars: readonly Bar[];
  /** What the search marks in the name; its bars are amber then. */
  readonly ranges: readonly TextRange[];
  /** Undefined where it came with the film. */
  readonly provenance: Provenance | undefined;
  /** 0 to 1, of the surest appearance. */
  readonly confidence: number;
}

export interface LaneSection {
  readonly title: 'People' | 'Labels' | 'Brands' | 'On-screen text' | 'Keywords';
  readonly lanes: readonly Lane[];
}

interface Named {
  readonly name: string;
  /** What the search marks in it. */
  readonly ranges: readonly TextRange[];
  readonly thumbnailId?: string;
  readonly provenance?: Provenance | undefined;
  readonly confidence: number;
  readonly instances: readonly Instance[];
}

/** What a search marks on the lanes: names by kind and text, lines by their keys. */
export interface LaneMarks {
  readonly ofName: (kind: MatchKind, name: string) => readonly TextRange[] | undefined;
  readonly ofLine: ReadonlyMap<string, readonly TextRange[]>;
}

/** The lanes of every kind that the video has; found ones come first, so that they are among the few that are shown. */
export function listLanes(insights: Insights, durationInSeconds: number, { ofName, ofLine }: LaneMarks): LaneSection[] {
  const names = (kind: MatchKind, elements: readonly Omit<Named, 'ranges'>[] = []) =>
    elements.map((element) => ({ ...element, ranges: ofName(kind, element.name) ?? [] }));
  const written = (insights.ocr ?? []).map(({ id, text, ...line }) => ({
    name: text,
    ...line,
    ranges: ofLine.get(toLineKey('Ocr', id)) ?? [],
  }));
  const labels = insights.labels?.map((label) => ({ ...label, confidence: Math.max(...label.instances.map((one) => one.confidence)) }));
  const kinds: [LaneSection['title'], readonly Named[]][] = [
    ['People', names('Face', insights.faces)],
    ['Labels', names('Annotations', labels)],
    ['Brands', names('Brand', insights.brands)],
    ['On-screen text', written],
    ['Keywords', (insights.keywords ?? []).map(({ text, ...keyword }) => ({ ...keyword, name: text, ranges: [] }))],
  ];
  return kinds.flatMap(([title, elements]) => {
    const lanes = joinSameNames(elements).map((element) => toLane(element, durationInSeconds));
    const found = lanes.filter((lane) => lane.ranges.length > 0);
    const others = lanes.filter((lane) => lane.ranges.length === 0);
    return lanes.length > 0 ? [{ title, lanes: [...found, ...others] }] : [];
  });
}

/** Where to go from here on a lane: its next appearance, or back to the one before; round at the ends. */
export function nextAppearanceOn(lane: Lane, seconds: number, direction: 'on' | 'back'): number {
  const starts = lane.bars.map((bar) => bar.startInSeconds);
  if (direction === 'on') return starts.find((start) => start > seconds + 0.4) ?? starts[0] ?? 0;
  return starts.findLast((start) => start < seconds - 1.5) ?? starts.at(-1) ?? 0;
}

// A sign that is read again and again is one line on the panel with many bars.
function joinSameNames(elements: readonly Named[]): Named[] {
  const byName = new Map<string, Named>();
  for (const element of elements) {
    const known = byName.get(element.name);
    byName.set(element.name, known ? joinNamed(known, element) : element);
  }
  return [...byName.values()];
}

function joinNamed(one: Named, other: Named): Named {
  const isCorrected = [one, other].some(({ provenance }) => provenance === 'corrected');
  return {
    ...one,
    provenance: isCorrected ? 'corrected' : one.provenance === other.provenance ? one.provenance : undefined,
    confidence: Math.max(one.confidence, other.confidence),
    instances: [...one.instances, ...other.instances],
  };
}

function toLane({ name, thumbnailId, instances, ranges, provenance, confidence }: Named, durationInSeconds: number): Lane {
  const bars = instances
    .map(({ start, end }) => ({ start: parseTimeCode(start), end: parseTimeCode(end) }))
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => ({
      startInSeconds: start,
      startShare: share(start, durationInSeconds),
      widthShare: share(Math.max(0, end - start), durationInSeconds),
    }));
  const hasPicture = thumbnailId !== undefined && /[1-9a-f]/.test(thumbnailId);
  return { id: name, name, thumbnailId: hasPicture ? thumbnailId : null, bars, ranges, provenance, confidence };
}

function share(seconds: number, durationInSeconds: number): number {
  return durationInSeconds > 0 ? Math.min(1, seconds / durationInSeconds) : 0;
}
