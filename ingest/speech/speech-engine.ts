import type { Engine } from '../engines/engine.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import type { IngestContext } from '../ingest-context.ts';
import type { MediaInput } from '../tools/media-tools.ts';
import type { HeardLine } from '../transcripts/heard-line.ts';

/** What writes speech down. */
export interface SpeechEngine {
  readonly engine: Engine;
  /** From 0 to 1: no line is surer than this, whatever the recogniser says of it. */
  readonly trust: number;
  /** The longest sound that it is given at once. */
  readonly chunkSeconds: number;
  /**
   * Writes down what is said in chunks of a file of sound, with times in seconds from the start of the file. Throws a StepFailure where it
   * cannot be used.
   */
  readonly hear: (context: Pick<IngestContext, 'runEngine' | 'runProgram'>, sound: SoundToHear) => Promise<HeardLine[]>;
}

/** Sound as `SoundPlan` says it. */
export interface SoundToHear {
  readonly input: MediaInput;
  /** A folder for files of its own. */
  readonly workFolder: string;
  /** Stretches of the file in which somebody speaks, in order, each cut in silence and no longer than the engine takes. */
  readonly chunks: readonly Stretch[];
}

/** Which recognisers of speech an archive may use. */
export interface SpeechSettings {
  /** RUSHES_WHISPER_MODEL: a model file of whisper.cpp. */
  readonly whisperModel?: string | undefined;
  /** RUSHES_SPEECH_URL and those beside it: a service that speaks the `audio/transcriptions` of OpenAI. */
  readonly service?: SpeechService | undefined;
  /** RUSHES_ROUGH_SPEECH: whether text that is mostly wrong may be had from pocketsphinx. */
  readonly allowsRough: boolean;
  /** RUSHES_MODEL_HUB: where models are fetched from. */
  readonly modelHub: string;
  /** Where programs are looked for. */
  readonly searchPath: string;
}

export interface SpeechService {
  /** Ends in `/audio/transcriptions`. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly model: string;
}
