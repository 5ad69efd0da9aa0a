import { type Cue, cueText, type ParsedSubtitles } from './cue.ts';

const paragraphStart = /<(?:\w+:)?p\b/;
const paragraphEnd = /<\/(?:\w+:)?p>/;
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Reads the timed paragraphs of a TTML document. One that defines entities of its own is refused: nothing here expands them. */
export function parseTtml(text: string): ParsedSubtitles {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('it declares a document type, which is not taken');
  const frameRate = Number(/frameRate="(\d+)"/.exec(text)?.[1] ?? 30);
  const tickRate = Number(/tickRate="(\d+)"/.exec(text)?.[1] ?? 1);
  const cues: Cue[] = [];
  let unreadable = 0;
  for (const { attributes, content } of paragraphsOf(text)) {
    const moment = (name: string) => timeMs(new RegExp(String.raw`\b${name}="([^"]*)"`).exec(attributes)?.[1], { frameRate, tickRate });
    const startMs = moment('begin');
    const endMs = moment('end') ?? (startMs === undefined ? undefined : startMs + (moment('dur') ?? 0));
    const line = cueText(plainText(content));
    if (startMs === undefined || endMs === undefined) unreadable += 1;
    else if (line !== '') cues.push({ startMs, endMs: Math.max(startMs, endMs), text: line });
  }
  return { cues, warnings: unreadable > 0 ? [`${unreadable} paragraphs without times left out`] : [] };
}

/** Cut at their beginnings first, so that one without an end does not read on through all the others. */
function paragraphsOf(text: string): { attributes: string; content: string }[] {
  return text
    .split(paragraphStart)
    .slice(1)
    .flatMap((piece) => {
      const [inner, isClosed] = piece.split(paragraphEnd, 2);
      const tagEnd = inner?.indexOf('>') ?? -1;
      if (inner === undefined || isClosed === undefined || tagEnd === -1) return [];
      return [{ attributes: inner.slice(0, tagEnd), content: inner.slice(tagEnd + 1) }];
    });
}

function plainText(content: string): string {
  return content.replace(/<[^<>]*>/g, ' ').replace(/&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi, readEntity);
}

function readEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return entities[name] ?? entity;
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
}

/** "00:00:01.500", "00:00:01:12" with frames, "1.5s", "1500ms", "1.5m", "1h", "36f", "4000t". */
function timeMs(text: string | undefined, rates: { frameRate: number; tickRate: number }): number | undefined {
  const clock = /^(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d+)|:(\d{1,3}))?$/.exec(text ?? '');
  if (clock) {
    const [, hours, minutes, seconds, fraction, frames] = clock;
    const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    return Math.round((whole + Number(`0.${fraction ?? 0}`) + Number(frames ?? 0) / rates.frameRate) * 1_000);
  }
  const offset = /^(\d{1,12}(?:\.\d+)?)(h|m|s|ms|f|t)$/.exec(text ?? '');
  if (!offset) return undefined;
  const unitMs = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, f: 1_000 / rates.frameRate, t: 1_000 / rates.tickRate }[offset[2] ?? 's'];
  return unitMs === undefined ? undefined : Math.round(Number(offset[1]) * unitMs);
}
