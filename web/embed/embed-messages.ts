import { z } from 'zod';

const seconds = z.number().nonnegative();
const yes = z.literal(true);

/**
 * The words that the page and its two frames post to one another. The first group is the video service's own;
 * `accessToken`, `expired` and `theme` are ours. A message carries at least one of them, anything else in it is dropped.
 */
export const EmbedMessage = z.object({
  /** Seek there. */
  time: seconds.optional(),
  /** Where playback is. */
  currentTime: seconds.optional(),
  play: yes.optional(),
  pause: yes.optional(),
  language: z.string().max(35).optional(),
  loaded: yes.optional(),
  played: yes.optional(),
  paused: yes.optional(),
  /** A fresh video token, from the page to a frame. */
  accessToken: z.string().max(8_000).optional(),
  /** A frame's token is no longer taken; it waits for a fresh one. */
  expired: yes.optional(),
  theme: z.enum(['light', 'dark']).optional(),
});
export type EmbedMessage = z.infer<typeof EmbedMessage>;

interface Sender {
  readonly origin: string;
  readonly source: unknown;
}

/** The message of an event that truly comes from this sender, else null. */
export function readEmbedMessage(event: Pick<MessageEvent, 'origin' | 'source' | 'data'>, sender: Sender): EmbedMessage | null {
  if (event.origin !== sender.origin || sender.source === null || event.source !== sender.source) return null;
  const parsed = EmbedMessage.safeParse(event.data);
  return parsed.success && Object.keys(parsed.data).length > 0 ? parsed.data : null;
}
