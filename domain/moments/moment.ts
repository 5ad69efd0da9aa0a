import type { MatchKind } from '#contract/match-kinds.ts';

/** The kinds that stand at a time in a video; title and owner belong to the video as a whole. */
export type MomentKind = Exclude<MatchKind, 'Title' | 'Owner'>;

/** Where a moment's text comes from: a sidecar file, an embedded track, a recogniser, a catalogue record, or a person. */
export type MomentSource = 'sidecar' | 'embedded' | 'machine' | 'catalogue' | 'editor';

/** What a person made of a moment: they changed its text, or said that it is right. */
export type MomentReview = 'corrected' | 'verified';

/** A text at a time in a video. Times in milliseconds from its start. */
export interface Moment {
  readonly kind: MomentKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly source: MomentSource;
  /** 0 to 100, as the source said it; a person's own words are 100. */
  readonly confidencePercent: number;
  /** What found it, where that is known: `whisper.cpp`, the name of a model. */
  readonly engine?: string;
  readonly review?: MomentReview;
  /** Heard by a recogniser that is mostly wrong, and looked at by nobody: everything else goes before it. */
  readonly isRough?: true;
  readonly speaker?: string;
  /**
   * When each blank-parted word of `text` begins, from a source that tells: stamped captions, a catalogue, a recogniser of
   * speech. Kept only when there is one for each word, in order and within the moment.
   */
  readonly wordStartsMs?: readonly number[];
}

/** Whether a name only tells voices or faces apart, as machines number them: `Speaker 0`, `SPEAKER_00`, `Unknown speaker`, `Unknown #1`. */
export function isNobody(name: string): boolean {
  return /^\s*(?:(?:(?:unknown|unidentified)[\s_-]*)?(?:speaker|spk)[\s_#.-]*\d{0,3}|unknown[\s_#.-]*\d{1,3})\s*$/iu.test(name);
}
