/** A stretch of text as a subtitle file gives it. Times in milliseconds from the start of the film. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly speaker?: string;
  /** 0 to 100, where a recogniser of speech says how sure it is. */
  readonly confidencePercent?: number;
  /** When each blank-parted word of `text` begins, where the file stamps them and the stamps make sense. */
  readonly wordStartsMs?: readonly number[];
}

/** What a subtitle file holds, and what had to be left out of it. */
export interface ParsedSubtitles {
  readonly cues: Cue[];
  readonly warnings: string[];
  /** The recogniser of speech that wrote it, if one did. */
  readonly engine?: string | undefined;
}

const textMaxLength = 4_000;

/** A cue's text as one line without controls; direction marks stay, the page isolates them. */
export function cueText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, textMaxLength)
    .toWellFormed();
}
