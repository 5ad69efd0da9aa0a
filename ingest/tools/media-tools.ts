import type { MediaDescription, PacketScan } from '../media/media-description.ts';
import type {
  EncodePlan,
  GreyPlan,
  PicturesPlan,
  PosterPlan,
  RenditionPlan,
  SoundPlan,
  StillsPlan,
  SubtitlePicturesPlan,
  SubtitlePlan,
} from '../media/media-plans.ts';

/** A file of ours to read; `timeoutMs`, `silenceMs` and `signal` end the reading. */
export interface MediaInput {
  readonly path: string;
  /** The only folder that the tool may write into; what a plan names lies in it. */
  readonly outputFolder?: string | undefined;
  readonly timeoutMs: number;
  /** The longest time in which no later second of the film is reached; undefined where none are told. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the second that has been reached, a few times a second at most. */
  readonly onSecond?: ((second: number) => void) | undefined;
}

/** What became of the pictures that a pass over the whole film met. */
export interface DecodeReport {
  readonly brokenPackets: number;
  /** Whether the decoder complained at all. */
  readonly clean: boolean;
}

/**
 * What ingest asks of FFmpeg, whichever build answers. Every call runs in a child with hardened arguments and ends with it;
 * a file that cannot be read is a `StepFailure`.
 */
export interface MediaTools {
  /** For people: which build this is. */
  readonly name: string;
  /** Whether stills can be drawn from key frames alone. */
  readonly drawsFromKeyFrames: boolean;
  /** Why this build cannot draw subtitles that are pictures, and what is to be done about it, a sentence each; undefined where it can. */
  readonly withoutSubtitles?: { readonly reason: string; readonly whatToDo: string };
  /** Reads what the container says of itself, and every packet once, without decoding. */
  lookAt(input: MediaInput): Promise<{ readonly description: MediaDescription; readonly scan: PacketScan }>;
  /** Decodes the whole picture track once, draws everything small from it, and the poster where one is planned. */
  drawStills(input: MediaInput, plan: StillsPlan): Promise<DecodeReport>;
  /** One upright picture as it stands at a second; none where the film has none there. */
  drawPoster(input: MediaInput, plan: PosterPlan): Promise<void>;
  /** Writes a stretch of the film as small grey pictures, and draws stills from the same pass; it tells the seconds of the stretch. */
  drawGrey(input: MediaInput, plan: GreyPlan): Promise<void>;
  /** Writes a stretch of the film as colour pictures. */
  drawPictures(input: MediaInput, plan: PicturesPlan): Promise<void>;
  /** Writes a stretch of a track of picture subtitles as colour pictures. Throws a StepFailure where this build cannot draw them. */
  drawSubtitles(input: MediaInput, plan: SubtitlePicturesPlan): Promise<void>;
  /** Writes a stretch of the sound for a recogniser. */
  drawSound(input: MediaInput, plan: SoundPlan): Promise<void>;
  /** Cuts the film into segments as it is. */
  copyRendition(input: MediaInput, plan: RenditionPlan): Promise<void>;
  /** Encodes one or more renditions; decodes once where it can. */
  encodeRenditions(input: MediaInput, plan: EncodePlan): Promise<void>;
  /** Writes a text track as WebVTT. */
  extractSubtitles(input: MediaInput, plan: SubtitlePlan): Promise<void>;
}
