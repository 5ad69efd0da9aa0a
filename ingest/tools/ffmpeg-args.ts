import { join } from 'node:path';
import {
  type EncodePlan,
  type GreyPlan,
  makeEverySecondsFilter,
  makeGreyFilter,
  makePictureFilter,
  makePicturesFilter,
  makeSoundFilter,
  type PicturesPlan,
  type PosterPlan,
  type RenditionPlan,
  type SoundPlan,
  type StillsPlan,
  type SubtitlePicturesPlan,
  type SubtitlePlan,
  segmentSeconds,
} from '../media/media-plans.ts';

const withoutTags = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** Small pictures as JPEG files. */
const jpeg = ['-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '6', '-f', 'image2'];

function smallFilterFor(output: StillsPlan['frames'], track: Pick<StillsPlan, 'deinterlace' | 'dynamicRange'>): string {
  return `${makeEverySecondsFilter(output.everySeconds)},${makePictureFilter({ ...track, ...output })}`;
}

/** One decoding pass that draws the small frames, the poster's candidates and the storyboard. */
export function makeStillsArgs(plan: StillsPlan): string[] {
  const small = (output: StillsPlan['frames']) => smallFilterFor(output, plan);
  const graph = [
    `[0:${plan.stream}]split=3[a][b][c]`,
    `[a]${small(plan.frames)},format=yuvj420p[frames]`,
    `[b]${small(plan.candidates)},format=yuvj420p[candidates]`,
    `[c]${small(plan.storyboard)},tile=${plan.storyboard.columns}x${plan.storyboard.rows},format=yuvj420p[storyboard]`,
  ];
  return [
    ...['-filter_complex', graph.join(';')],
    ...['-map', '[frames]', ...jpeg, '-start_number', '0', join(plan.folder, 'frame-%06d.jpg')],
    ...['-map', '[candidates]', ...jpeg, '-start_number', '0', join(plan.folder, 'candidate-%06d.jpg')],
    ...['-map', '[storyboard]', ...jpeg, '-frames:v', '1', '-update', '1', join(plan.folder, 'storyboard.jpg')],
  ];
}

/**
 * One upright picture as a JPEG: the arguments before the input, and those behind. The one that is shown at a second began at or before it, and is
 * the last that is written there; where none had begun, the first one after.
 */
export function makePosterArgs(plan: PosterPlan, which: 'shown' | 'after'): { before: string[]; after: string[] } {
  const picture = `${makePictureFilter(plan)},format=yuvj420p`;
  const isShown = which === 'shown';
  const only = isShown ? ['-fps_mode', 'passthrough'] : ['-frames:v', '1'];
  // The clocks of some films count in whole pictures.
  const filter = isShown ? `settb=AVTB,trim=end=0.001,${picture}` : picture;
  return {
    before: isShown ? makeEnteringArgs({ fromSeconds: plan.atSeconds }) : ['-ss', plan.atSeconds.toFixed(3)],
    after: [
      ...['-map', `0:${plan.stream}`, '-vf', filter, ...only],
      ...['-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', plan.path],
    ],
  };
}

/** One decoding pass that draws the stretch as raw grey pictures, and stills. */
export function makeGreyArgs(plan: GreyPlan): string[] {
  const ending = `trim=end=${plan.lengthSeconds}`;
  const graph = [
    `[0:${plan.stream}]split[a][b]`,
    `[a]${makeGreyFilter(plan)},${ending}[grey]`,
    `[b]${smallFilterFor(plan.stills, plan)},${ending},format=yuvj420p[stills]`,
  ];
  return [
    ...['-filter_complex', graph.join(';')],
    ...['-map', '[grey]', '-fps_mode', 'passthrough', '-f', 'rawvideo', plan.path],
    ...['-map', '[stills]', ...jpeg, '-start_number', '0', join(plan.stills.folder, 'still-%06d.jpg')],
  ];
}

/**
 * Before the input: it is entered at a second, which is 0 from there on, and the pictures from the key frame before it on stand below 0. Were they left out, as
 * they are by themselves, one that stands for longer would be missing until the next.
 */
export function makeEnteringArgs({ fromSeconds }: { fromSeconds: number }): string[] {
  return ['-noaccurate_seek', '-ss', fromSeconds.toFixed(3)];
}

/** Before the input: only this stretch of it, which begins at 0 from there on. */
export function makeStretchArgs({ fromSeconds, lengthSeconds }: { fromSeconds: number; lengthSeconds: number }): string[] {
  return ['-ss', fromSeconds.toFixed(3), '-t', lengthSeconds.toFixed(3)];
}

/** The stretch as raw colour pictures. */
export function makePicturesArgs(plan: PicturesPlan): string[] {
  return ['-map', `0:${plan.stream}`, '-vf', makePicturesFilter(plan), '-fps_mode', 'passthrough', '-f', 'rawvideo', plan.path];
}

/** Subtitles that began before a stretch are met where it is entered earlier. */
const leadSeconds = 10;

/** The stretch of a track of picture subtitles as raw colour pictures: the arguments before its input, and those behind. */
export function makeSubtitlePicturesArgs(plan: SubtitlePicturesPlan): { before: string[]; after: string[] } {
  const lead = Math.min(leadSeconds, plan.fromSeconds);
  const lengthSeconds = lead + plan.lengthSeconds;
  const size = `${plan.width}:${plan.height}`;
  const graph = [
    `color=black:s=${plan.width}x${plan.height}:r=${1 / plan.everySeconds}:d=${lengthSeconds}[black]`,
    `[0:${plan.stream}]scale=${size}[subtitles]`,
    `[black][subtitles]overlay=format=rgb,trim=start=${lead},format=rgb24`,
  ];
  const before = makeStretchArgs({ fromSeconds: plan.fromSeconds - lead, lengthSeconds });
  return { before, after: ['-filter_complex', graph.join(';'), '-fps_mode', 'passthrough', '-f', 'rawvideo', plan.path] };
}

/** The stretch as raw sound. */
export function makeSoundArgs(plan: SoundPlan): string[] {
  return ['-map', `0:${plan.stream}`, '-af', makeSoundFilter(plan), '-c:a', 'pcm_s16le', '-f', 's16le', plan.path];
}

/** The tracks as they are, cut at their key frames. */
export function copyArgs(plan: RenditionPlan): string[] {
  const maps = [plan.videoStream, plan.audioStream].filter((stream) => stream !== null).flatMap((stream) => ['-map', `0:${stream}`]);
  return [...maps, '-c', 'copy', ...withoutTags, ...segmentArgsFor(plan.folder)];
}

/** One decoding pass that feeds every rendition of the plan. */
export function encodeArgs(plan: EncodePlan): string[] {
  const { video, renditions } = plan;
  if (!video) return renditions.flatMap(({ folder }) => [...audioArgsFor(plan), ...withoutTags, ...segmentArgsFor(folder)]);
  const rate = video.frameRateMax === null ? '' : `fps=${video.frameRateMax},`;
  const graph = [
    `[0:${video.stream}]${rate}split=${renditions.length}${renditions.map((_, n) => `[in${n}]`).join('')}`,
    ...renditions.map((rendition, n) => `[in${n}]${makePictureFilter({ ...video, ...rendition })},format=yuv420p[out${n}]`),
  ];
  return [
    ...['-filter_complex_threads', `${plan.threads}`, '-filter_complex', graph.join(';')],
    ...renditions.flatMap((rendition, n) => [
      ...['-map', `[out${n}]`, ...audioArgsFor(plan), ...withoutTags],
      ...[
        '-fps_mode',
        'vfr',
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-profile:v',
        'high',
        '-crf',
        '22',
        '-threads:v',
        `${plan.threads}`,
      ],
      ...['-maxrate', `${rendition.maxKilobitsPerSecond}k`, '-bufsize', `${rendition.maxKilobitsPerSecond * 2}k`],
      // Every rendition has its key frames at the same seconds, so that a player may change between them.
      ...['-sc_threshold', '0', '-g', '600', '-force_key_frames', 'expr:gte(t,n_forced*2)'],
      ...segmentArgsFor(rendition.folder),
    ]),
  ];
}

/** A text track as WebVTT. */
export function makeSubtitleArgs(plan: SubtitlePlan): string[] {
  return ['-map', `0:${plan.stream}`, '-c:s', 'webvtt', '-f', 'webvtt', plan.path];
}

/** HLS with fMP4 segments: `index.m3u8`, `init.mp4` and numbered segments in `folder`. */
function segmentArgsFor(folder: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(segmentSeconds), '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...['-hls_flags', 'independent_segments', '-hls_fmp4_init_filename', 'init.mp4'],
    // Frames that depend on later ones would else begin the film a frame or two late, and every seek would land before its second.
    ...['-hls_segment_options', 'movflags=+negative_cts_offsets'],
    ...['-hls_segment_filename', join(folder, '%05d.m4s'), join(folder, 'index.m3u8')],
  ];
}

function audioArgsFor(plan: EncodePlan): string[] {
  return plan.audioStream === null ? ['-an'] : ['-map', `0:${plan.audioStream}`, '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];
}
