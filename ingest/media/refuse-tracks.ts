import { serverLimits } from '#contract/limits.ts';
import { makeRefusal } from '../step-failure.ts';

/** A track as the head of its file tells of it, before anything of it is decoded. */
export interface ToldTrack {
  readonly isVideo: boolean;
  /** A picture that goes with the film, not one that moves. */
  readonly isCover: boolean;
  /** 0 where the head does not tell. */
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Refuses a file for what its head tells, since to look into its tracks takes the memory of all of them at once. Throws a StepFailure. */
export function refuseTracks(tracks: readonly ToldTrack[]): void {
  if (tracks.length > serverLimits.tracksPerFileMax)
    throw makeRefusal('too_many_streams', `The file has more than ${serverLimits.tracksPerFileMax} tracks.`);
  if (tracks.filter(({ isVideo, isCover }) => isVideo && !isCover).length > serverLimits.videoTracksPerFileMax)
    throw makeRefusal('too_many_streams', `The file has more than ${serverLimits.videoTracksPerFileMax} video tracks.`);
  for (const { isVideo, width, height, channels } of tracks) {
    if (channels > serverLimits.soundChannelsMax)
      throw makeRefusal('unreadable_media', `The audio has ${channels} channels; the limit is ${serverLimits.soundChannelsMax}.`);
    if (isVideo && width * height > serverLimits.pictureMaxPixels)
      throw makeRefusal('dimensions_too_large', `A video track is ${width} × ${height}; the limit is 36 million pixels.`);
  }
}

/** What FFmpeg says of a picture that is larger than it was allowed to draw. */
const tooLarge = /exceeds specified max pixel count/;

/** Refuses a file for what FFmpeg said of it: that a picture is larger than its head told. Throws a StepFailure. */
export function refuseLargePictures(said: string): void {
  if (tooLarge.test(said)) throw makeRefusal('dimensions_too_large', 'The picture has more than 36 million pixels.');
}
