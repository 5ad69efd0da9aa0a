import type { SearchExamples } from '#contract/search-examples.ts';

export interface HelpRow {
  /** A whole query. */
  readonly example: string;
  readonly meaning: string;
}

/** Every operator and field word with an example; a kind of thing that the archive has none of is left out, once that is known. */
export function helpRows(examples: SearchExamples | undefined): { query: HelpRow[]; field: HelpRow[] } {
  const one = examples?.title ?? 'harbour';
  const other = examples?.otherTitle ?? (one === 'night' ? 'evening' : 'night');
  const phrase = examples?.phrase ?? 'at night';
  const known = examples ?? withoutAnswer;
  return {
    query: [
      { example: `${one} ${other}`, meaning: 'Either word finds; videos with both come first.' },
      { example: `"${phrase}"`, meaning: 'These words in this order, also from one line to the next.' },
      { example: `${one} +${other}`, meaning: 'This word must be there, spelled so.' },
      { example: `${one} -${other}`, meaning: 'Leaves out videos with this word. A phrase works too.' },
      { example: `${one} OR ${other}`, meaning: 'Either of the two; the other is not missed.' },
    ],
    field: [
      ...row('said', known.said, 'Spoken.'),
      ...row('written', known.written, 'To be read in the picture.'),
      ...row('title', known.title, 'In the title.'),
      ...row('person', known.person, 'People.'),
      ...row('brand', known.brand, 'Brands.'),
      ...row('label', known.label, 'What is to be seen.'),
      ...row('id', known.id, 'One video, by its id.'),
    ],
  };
}

const withoutAnswer: SearchExamples = {
  title: 'harbour',
  otherTitle: 'night',
  phrase: 'at night',
  said: 'harbour',
  written: 'harbour',
  person: 'name',
  brand: 'name',
  label: 'boat',
  id: null,
};

function row(field: string, text: string | null, meaning: string): HelpRow[] {
  if (text === null) return [];
  return [{ example: `${field}:${/\s/.test(text) ? `"${text}"` : text}`, meaning }];
}
