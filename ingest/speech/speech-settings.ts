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
