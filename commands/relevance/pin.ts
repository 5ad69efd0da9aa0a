import { z } from 'zod';
import { limits, serverLimits } from '#contract/limits.ts';
import { isVideoId } from '#domain/files/video-keys.ts';

/** Places that are looked at for a pin: five pages of an answer. */
export const placesMax = serverLimits.pinPagesMax * limits.searchPageSize;

const wrongTime = 'must be a time such as 00:12:34';
const wrongPlace = `must be a whole number from 1 to ${placesMax}`;

/** Something that a search has to find: a moment of a video, or the video at any moment, among the first `within` results. */
export const Pin = z.strictObject({
  query: z
    .string('must be a text')
    .refine((query) => query.trim() !== '', 'must not be empty')
    .refine((query) => [...query].length <= limits.queryMaxCodePoints, `must not be longer than ${limits.queryMaxCodePoints} characters`),
  video: z
    .string('must be the id of a video')
    .refine(isVideoId, "must be the id of a video: the ten characters at the end of its page's address"),
  at: z
    .string(wrongTime)
    .regex(/^(?:\d{1,3}:)?[0-5]?\d:[0-5]\d(?:\.\d{1,3})?$/, wrongTime)
    .optional(),
  within: z.int(wrongPlace).min(1, wrongPlace).max(placesMax, wrongPlace),
  note: z.string('must be a text').optional(),
});
export type Pin = z.infer<typeof Pin>;

/** The seconds of `hh:mm:ss` or `mm:ss`. */
export function secondsOf(at: string): number {
  return at.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** Two pins with the same key want the same, whatever place they want it at. */
export function keyOfPin({ query, video, at }: Pick<Pin, 'query' | 'video' | 'at'>): string {
  return JSON.stringify([query, video, at === undefined ? null : secondsOf(at)]);
}
