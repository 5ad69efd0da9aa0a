/*
 * What writes speech down: whisper-engine, a service, or whatever find-speech-engines finds here. chunk-sound cuts the sound for them.
 */
import type { HeardLine } from '#domain/transcripts/heard-line.ts';
import type { Engine } from '../engines/engine.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { MediaInput } from '../tools/media-tools.ts';

/** What writes speech down. */
export interface SpeechEngine {
  readonly engine: Engine;
  /** From 0 to 1: no line is surer than this, whatever the recogniser says of it. */
  readonly trust: number;
  /** It is mostly wrong: what it says comes after all else that is found. */
  readonly isRough?: true;
  /** The longest sound that it is given at once. */
  readonly chunkSeconds: number;
  /**
   * Writes down what is said in chunks of a file of sound, with times in seconds from the start of the file. Throws a StepFailure where it
   * cannot be used.
   */
  readonly hear: (context: Pick<IngestContext, 'runEngine' | 'runProgram'>, sound: SoundToHear) => Promise<HeardLine[]>;
}

/** Sound as `SoundPlan` says it. */
interface SoundToHear {
  readonly input: MediaInput;
  /** A folder for files of its own. */
  readonly workFolder: string;
  /** Stretches of the file in which somebody speaks, in order, each cut in silence and no longer than the engine takes. */
  readonly chunks: readonly Stretch[];
}
