import { writeFile } from 'node:fs/promises';
import { Codec } from 'node-av';
import type { SubtitlePlan } from '../../media/media-plans.ts';
import type { Cue } from '../../subtitles/cue.ts';
import { parseAss } from '../../subtitles/parse-ass.ts';
import { writeCaptions } from '../../subtitles/write-captions.ts';
import { openInput } from './open-input.ts';

/** Writes a text track as WebVTT, read straight from its packets: they hold the text, their times are the cue's. */
export async function extractSubtitles(path: string, plan: SubtitlePlan): Promise<void> {
  await using input = await openInput(path);
  const track = input.streams[plan.stream];
  if (!track) throw new Error(`no track ${plan.stream}`);
  const codec = Codec.findDecoder(track.codecpar.codecId)?.name ?? '';
  const cues: Cue[] = [];
  for await (using packet of input.packets(plan.stream)) {
    if (!packet) break;
    const { num, den } = packet.timeBase;
    const startMs = Math.round(((Number(packet.pts) * num) / den - plan.startSeconds) * 1_000);
    const endMs = startMs + Math.round(((Number(packet.duration) * num) / den) * 1_000);
    const text = textOf(codec, packet.data ?? Buffer.alloc(0));
    if (text !== '') cues.push({ startMs: Math.max(0, startMs), endMs: Math.max(0, startMs, endMs), text });
  }
  await writeFile(plan.path, writeCaptions(cues));
}

function textOf(codec: string, data: Buffer): string {
  if (codec === 'mov_text') return data.length < 2 ? '' : data.toString('utf8', 2, 2 + data.readUInt16BE(0));
  const text = data.toString('utf8');
  if (codec !== 'ass' && codec !== 'ssa') return text.replace(/<\/?(i|b|u|font)\b[^>]*>|\{\\[^}]*\}/gi, '').trim();
  // In a container the line has lost its times: its number and layer stand in their place.
  const fields = text.split(',').slice(2).join(',');
  return parseAss(`Dialogue: 0,0:00:00.00,0:00:01.00,${fields}`).cues[0]?.text ?? '';
}
