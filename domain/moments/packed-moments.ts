import type { Moment, MomentKind, MomentSource } from './moment.ts';

const kindLetters: Record<MomentKind, string> = { Transcript: 'T', Ocr: 'O', Face: 'F', Annotations: 'A', Brand: 'B' };
const sourceLetters: Record<MomentSource, string> = { sidecar: 's', embedded: 'e', machine: 'm', catalogue: 'c', editor: 'p' };
const kindOf = invert(kindLetters);
const sourceOf = invert(sourceLetters);

/**
 * Packs moments into the text that one row per video holds, a line each in order of time:
 * kind letter, source letter, start and end in ms, confidence, speaker, text, parted by tabs.
 */
export function packMoments(moments: readonly Moment[]): string {
  return moments
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.kind.localeCompare(b.kind))
    .map((moment) =>
      [
        kindLetters[moment.kind] + sourceLetters[moment.source],
        Math.max(0, Math.round(moment.startMs)),
        Math.max(0, Math.round(moment.endMs)),
        Math.round(moment.confidencePercent),
        oneLine(moment.speaker ?? ''),
        oneLine(moment.text),
      ].join('\t'),
    )
    .join('\n');
}

/** Reads a packed row back. Throws on a line that `packMoments` did not write. */
export function unpackMoments(body: string): Moment[] {
  if (body === '') return [];
  return body.split('\n').map((line) => {
    const [letters = '', startMs, endMs, confidence, speaker, ...text] = line.split('\t');
    const kind = kindOf[letters[0] ?? ''];
    const source = sourceOf[letters[1] ?? ''];
    if (!kind || !source) throw new Error(`not a packed moment: ${line.slice(0, 40)}`);
    const moment = {
      kind,
      source,
      startMs: Number(startMs),
      endMs: Number(endMs),
      confidencePercent: Number(confidence),
      text: text.join(' '),
    };
    return speaker ? { ...moment, speaker } : moment;
  });
}

// NUL cannot be stored in PostgreSQL text; tab and line ends part the columns and lines.
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}

function invert<K extends string>(letters: Record<K, string>): Record<string, K> {
  return Object.fromEntries(Object.entries<string>(letters).map(([name, letter]) => [letter, name as K]));
}
