import { join } from 'node:path';
import { Muxer } from 'node-av/api';
import { segmentSeconds } from '../../media/media-plans.ts';

/** HLS with fMP4 segments: `index.m3u8`, `init.mp4` and numbered segments in `folder`. */
export async function openPlaylist(folder: string, options: { startSeconds: number }): Promise<Muxer> {
  return await Muxer.open(join(folder, 'index.m3u8'), {
    format: 'hls',
    ...(options.startSeconds > 0 ? { startTime: options.startSeconds } : {}),
    options: {
      hls_time: segmentSeconds,
      hls_playlist_type: 'vod',
      hls_segment_type: 'fmp4',
      hls_flags: 'independent_segments',
      hls_fmp4_init_filename: 'init.mp4',
      // Frames that depend on later ones would else begin the film a frame or two late, and every seek would land before its second.
      hls_segment_options: 'movflags=+negative_cts_offsets',
      hls_segment_filename: join(folder, '%05d.m4s'),
    },
  });
}
