import { join } from 'node:path';
import { makeMedia } from '#testing/media-clips.ts';

/** Clips with picture and sound, of films, talks and a phone. */
const clips = ['jfk-inaugural-ask-not.mp4', 'his-girl-friday-hildy.mp4', 'apollo15-feather-and-hammer.webm', 'office-desk-phone.3gp'];
const sizes = [
  { name: '720p', width: 1_280, height: 720 },
  { name: '1080p', width: 1_920, height: 1_080 },
];
/** As browsers play it, and as they do not: the first is cut into segments as it is, the other encoded anew. */
const codings = [
  { name: 'copyable', ending: 'mp4', coding: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '24', '-g', '50', '-c:a', 'aac'] },
  { name: 'foreign', ending: 'mkv', coding: ['-c:v', 'mpeg4', '-q:v', '4', '-g', '50', '-c:a', 'libmp3lame'] },
];

/** Loops the shared clips to films of so many seconds, of each size and coding, and one of sound alone; gives their paths one by one. */
export async function* loopClips(folder: string, { media, seconds }: { media: string; seconds: number }): AsyncGenerator<string> {
  for (const { name: size, width, height } of sizes) {
    const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,fps=25,setsar=1,format=yuv420p`;
    const graph = clips.map((_, n) => `[${n}:v:0]${fit}[v${n}];[${n}:a:0]aresample=48000,aformat=channel_layouts=stereo[a${n}]`);
    const joined = `${graph.join(';')};${clips.map((_, n) => `[v${n}][a${n}]`).join('')}concat=n=${clips.length}:v=1:a=1[v][a]`;
    for (const { name, ending, coding } of codings) {
      const once = join(folder, `once-${size}-${name}.${ending}`);
      const path = join(folder, `${size}-${name}.${ending}`);
      const inputs = clips.flatMap((clip) => ['-i', join(media, 'videos', clip)]);
      await makeMedia([...inputs, '-filter_complex', joined, '-map', '[v]', '-map', '[a]', ...coding, once]);
      await makeMedia(['-stream_loop', '-1', '-i', once, '-t', String(seconds), '-c', 'copy', path]);
      yield path;
    }
  }
  const sound = join(folder, 'sound-copyable.m4a');
  await makeMedia(['-i', join(folder, '720p-copyable.mp4'), '-vn', '-c', 'copy', sound]);
  yield sound;
}
