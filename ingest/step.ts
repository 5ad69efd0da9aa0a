import type { z } from 'zod';
import type { VideoKeys } from '#domain/files/video-keys.ts';
import type { Layer } from '#domain/moments/layers.ts';
import type { WhySkipped } from '#domain/videos/speech-of-film.ts';
import type { IngestContext } from './ingest-context.ts';

/** What makes a film playable goes before what understands it. */
export type StepClass = 'playable' | 'understood';

/** A resumable part of what is done with a film. What it finds out, it writes into the store, gives as its result or publishes as layers. */
export interface Step<R = unknown> {
  readonly name: string;
  /** Raised when it would do better with a film that it has been through: then it can be done again for all films below. */
  readonly version: number;
  /** Done before it. Where one of them is optional, it may be missing. */
  readonly needs: readonly Step[];
  /** Gone before it where they are done at all. When one of them finds something else, this one is done again. */
  readonly follows?: readonly Step[];
  /** Whether a film can do without it. */
  readonly optional: boolean;
  readonly class: StepClass;
  /** How much of the work of its class it is, in percent, as the person who waits sees it. */
  readonly share: number;
  readonly Result: z.ZodType<R>;
  /** Leaves the same whenever it is run. Throws a `StepFailure` with a sentence for people. */
  readonly run: (context: StepContext) => Promise<StepOutcome<R>>;
}

export type StepOutcome<R> =
  | {
      readonly is: 'done';
      readonly result: R;
      /** A remark for the operator. */
      readonly remark?: string | null;
      /** All that it found, in the place of all that it found before. */
      readonly layers?: readonly Layer[];
    }
  /** There was nothing to do, or nothing to do it with. */
  | {
      readonly is: 'skipped';
      /** A sentence for editors, or what viewers are told of, too. */
      readonly reason: string | WhySkipped;
      /** Whether there would be something to do once there is an engine. */
      readonly lacksEngine?: boolean;
      /** What takes the place of all that it found before; that stays where nothing is said. */
      readonly layers?: readonly Layer[];
    };

/** The footage that a step works on. */
export interface FootageInHand {
  readonly video: {
    readonly id: string;
    readonly name: string;
    readonly fileName: string;
    readonly language: string;
    readonly keys: VideoKeys;
    /** Of the file that is at hand; the film may be given another one meanwhile. */
    readonly contentHash: string | null;
    /** Whether it can be found and watched already. */
    readonly isPublished: boolean;
  };
  /** The original on this machine, to be read only; fetched when it is first asked for, and then there for as long as the work on the film goes on. */
  readonly original: () => Promise<string>;
}

/** What a step works with: one film, and a scratch folder that is empty when the step begins and gone when it has ended. */
export interface StepContext extends IngestContext, FootageInHand {
  readonly workFolder: string;
  readonly signal: AbortSignal;
  /** Tells how much of the step is done, 0 to 1. */
  readonly progress: (share: number) => void;
  /**
   * Does a piece of long work once: what it came to is kept under its name until the step has ended, so that a step that was cut off goes
   * on behind it. The name tells what it was done with.
   */
  readonly piece: <T>(name: string, Result: z.ZodType<T>, work: () => Promise<T>) => Promise<T>;
  /** What a step that this one needs has found out. Throws for one that has no result. */
  readonly resultOf: <T>(step: Step<T>) => T;
  /** What a step that this one follows has found out; undefined where it was not done. */
  readonly resultIfAny: <T>(step: Step<T>) => T | undefined;
}
