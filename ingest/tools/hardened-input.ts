import { serverLimits } from '#contract/limits.ts';

/** Containers that footage comes in. Playlists and anything else that can point to another file are not among them. */
const formats = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mxf,mp3,wav,flac,aac';

const videoCodecs =
  'h264,hevc,av1,libdav1d,vp8,vp9,mpeg1video,mpeg2video,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h261,h263,h263i,h263p,flv,theora,mjpeg,' +
  'png,prores,dnxhd,dvvideo,wmv1,wmv2,wmv3,vc1,ffv1,huffyuv,ffvhuff,svq1,svq3,cinepak,rawvideo,qtrle';
const audioCodecs =
  'aac,aac_latm,mp1,mp1float,mp2,mp2float,mp3,mp3float,ac3,eac3,dca,truehd,opus,libopus,vorbis,flac,alac,wmav1,wmav2,wmapro,amrnb,amrwb,' +
  'adpcm_ima_wav,adpcm_ima_qt,adpcm_ms,pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,' +
  'pcm_f64le,pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd,speex,libspeex,nellymoser,qdm2';
// Of those that are pictures only PGS and VobSub are drawn, but ffprobe refuses a file with a track that it may not open.
const subtitleCodecs = 'subrip,srt,ass,ssa,mov_text,webvtt,text,pgssub,dvdsub,dvbsub,xsub';

/** Limits on what FFmpeg will open, in the words that its library and its command line share. */
export const inputOptions = {
  protocol_whitelist: 'file',
  format_whitelist: formats,
  codec_whitelist: `${videoCodecs},${audioCodecs},${subtitleCodecs}`,
  // FFmpeg 8 leaves the tracks beyond this out: one more than is taken shows that there are too many.
  max_streams: `${serverLimits.tracksPerFileMax + 1}`,
} as const;

/** The arguments in front of every `-i`. `path` has to be absolute and made by us. */
export function makeHardenedInputArgs(path: string): string[] {
  return [...listHardenedOptions(), '-i', toInputAddress(path)];
}

function listHardenedOptions(): string[] {
  return [
    ...Object.entries(inputOptions).flatMap(([name, value]) => [`-${name}`, value]),
    '-max_pixels',
    String(serverLimits.pictureMaxPixels),
  ];
}

/** With its protocol in front no part of a path is read as another protocol or an option. */
function toInputAddress(path: string): string {
  if (!path.startsWith('/')) throw new Error('a tool gets absolute paths only');
  return `file:${path}`;
}
