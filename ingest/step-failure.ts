import { serverLimits } from '#contract/limits.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';

/** Why footage is refused for good; kept with the video and shown to its owner. */
export const refusalCodes = [
  'empty_file',
  'unreadable_media',
  'unsupported_media_type',
  'no_video_stream',
  'dimensions_too_large',
  'too_many_streams',
  'too_much_memory',
  'too_long',
  'processing_timeout',
  'processing_failed',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

type Kind =
  | { readonly is: 'bad-media'; readonly code: RefusalCode }
  /** One that is on its way to this machine: the film waits for it, or for another machine, also where it could do without the step. */
  | { readonly is: 'tool-missing'; readonly isOnItsWay?: true }
  /** `code` is what is kept with the video when no try succeeds. */
  | { readonly is: 'try-again'; readonly code?: RefusalCode };

/**
 * A step that did not succeed: the footage is to blame (final), the operator must act first, or another try may do.
 * The message is a sentence for people; `details` is what a tool said at last, for whoever looks into it.
 */
export class StepFailure extends Error {
  readonly kind: Kind;
  readonly details: string | undefined;
  constructor(kind: Kind, message: string, options: { cause?: unknown; details?: string } = {}) {
    super(message, options);
    this.name = 'StepFailure';
    this.kind = kind;
    this.details = options.details;
  }
}

/** What a step throws for footage that no other try would make good; `message` is for the person who gave it. */
export function makeRefusal(code: RefusalCode, message: string): StepFailure {
  return new StepFailure({ is: 'bad-media', code }, message);
}

/** What stands behind a failure, for whoever looks into it: what the tool said at last, else where it was thrown, and for what. */
export function tellDetails(error: unknown): string {
  if (!(error instanceof Error)) return errorMessageOf(error).slice(0, serverLimits.faultDetailsMaxCharacters);
  if (error instanceof StepFailure && error.details) return error.details.slice(-serverLimits.faultDetailsMaxCharacters);
  const cause = error.cause instanceof Error ? `\nCaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`.slice(0, serverLimits.faultDetailsMaxCharacters);
}
