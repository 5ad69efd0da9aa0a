import { z } from 'zod';

/** A line of speech as a recogniser wrote it down. Times in seconds from the start of its sound; nothing says yet that they fit together. */
export interface HeardLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** None where the recogniser told the times of lines only. */
  readonly words: readonly HeardWord[];
  readonly speaker?: string | undefined;
  /** From 0 to 1; what its words say of themselves goes before. */
  readonly confidence?: number | undefined;
}

/** A word of such a line; one without a start begins with the word before it. */
export interface HeardWord {
  readonly text: string;
  readonly start?: number | undefined;
  readonly confidence?: number | undefined;
}

/** What a recogniser's file holds before any of its lines is believed. */
export interface HeardSpeech {
  readonly engine: string;
  readonly entries: readonly unknown[];
  /** Reads one of the entries. */
  readonly Line: z.ZodType<HeardLine>;
  readonly language?: string | undefined;
  /** Why none of it can be used, although it is what it seems. */
  readonly refusal?: string | undefined;
}

const secondsMax = 999 * 3_600;

/** A time that a film can have. */
export const Seconds = z.number().min(0).max(secondsMax);

/** From 0 to 1; what is no such number says nothing. */
export const Share = z.number().min(0).max(1).optional().catch(undefined);
