import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeMedia } from '#testing/media-clips.ts';

/** Clips with faces, things, lettering and speech, and whether they have sound. */
const clips: readonly (readonly [file: string, hasSound: boolean])[] = [
  ['jfk-inaugural-ask-not.mp4', true],
  ['eth-slides-climate.mov', false],
  ['his-girl-friday-hildy.mp4', true],
  ['apollo15-feather-and-hammer.webm', true],
  ['office-desk-phone.3gp', true],
  ['eth-lecture-xquery.mov', false],
  ['popeye-sindbad-2-textsubs.mkv', false],
];
const [width, height, perSecond] = [1280, 720, 25];
const lineEverySeconds = 4;

/**
 * Joins shared clips, again and again, into a film of 720 lines with sound at `path`, of so many seconds; captions of these lines stand beside it,
 * so that steps which read what is said have something to read. Returns the path.
 */
export async function joinFootage(
  path: string,
  { media, atLeast, lines }: { media: string; atLeast: number; lines: readonly string[] },
): Promise<string> {
  const pieces: string[] = [];
  for (const [n, [file, hasSound]] of clips.entries()) {
    const piece = `${path}.${n}.mp4`;
    const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,fps=${perSecond},format=yuv420p`;
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono'];
    const sound = hasSound ? ['-map', '0:v:0', '-map', '0:a:0'] : ['-map', '0:v:0', '-map', '1:a:0', '-shortest'];
    const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-c:a', 'aac', '-ar', '48000', '-ac', '1'];
    await makeMedia(['-i', join(media, 'videos', file), ...silence, '-sn', ...sound, '-vf', fit, ...coded, piece]);
    pieces.push(piece);
  }
  const list = `${path}.txt`;
  await writeFile(list, pieces.map((piece) => `file '${piece}'\n`).join(''));
  await makeMedia(['-stream_loop', '-1', '-f', 'concat', '-safe', '0', '-i', list, '-t', String(atLeast), '-c', 'copy', path]);
  const cues = Array.from({ length: Math.floor(atLeast / lineEverySeconds) }, (_, n) => {
    const [from, to] = [n * lineEverySeconds, (n + 1) * lineEverySeconds - 0.5].map(clockOf);
    return `${n + 1}\n${from} --> ${to}\n${lines[n % lines.length] ?? ''}\n`;
  });
  await writeFile(path.replace(/\.mp4$/, '.en.srt'), cues.join('\n'));
  return path;
}

function clockOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', ',');
}
