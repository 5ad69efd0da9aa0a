/** Who and what is in a video. */
export interface NamesOfVideo {
  readonly people: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly brands: ReadonlySet<string>;
}

const groupOfLetter: Record<string, keyof NamesOfVideo> = { F: 'people', A: 'labels', B: 'brands' };
/** The speaker and the text stand after this many tabs. */
const speakerColumn = 4;

/** The names that a packed row holds, as they stand there. Speakers count as people. */
export function namesInBody(body: string): NamesOfVideo {
  const names = { people: new Set<string>(), labels: new Set<string>(), brands: new Set<string>() };
  for (let from = 0; from < body.length; ) {
    const lineEnd = body.indexOf('\n', from);
    const end = lineEnd < 0 ? body.length : lineEnd;
    let speakerFrom = from;
    for (let column = 0; column < speakerColumn; column++) speakerFrom = body.indexOf('\t', speakerFrom) + 1;
    const speakerEnd = body.indexOf('\t', speakerFrom);
    if (speakerEnd > speakerFrom) names.people.add(body.slice(speakerFrom, speakerEnd));
    const group = groupOfLetter[body.charAt(from)];
    if (group) names[group].add(body.slice(speakerEnd + 1, end));
    from = end + 1;
  }
  return names;
}
