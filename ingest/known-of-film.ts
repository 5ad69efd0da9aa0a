import type { FootageFacts } from '#domain/footage/footage-facts.ts';
import { titleOfFileName } from '#domain/footage/footage-name.ts';
import type { KnownOfFilm } from '#domain/moments/layers.ts';
import { momentsOfFacts, namesOf } from '#domain/videos/named-fact.ts';
import { fallbackLanguage } from '#domain/videos/video.ts';

/** What came with a film. */
export interface CameWithFilm {
  readonly facts: FootageFacts;
  readonly subtitles: readonly { readonly language: string | null }[];
  readonly transcripts: readonly { readonly language: string | null }[];
}

/** The language that a film's sidecars name; undefined where none does, or one is a translation and nothing says which. */
export function toldLanguageOf({ facts, subtitles, transcripts }: CameWithFilm): string | undefined {
  const named = [...subtitles, ...transcripts].flatMap(({ language }) => (language === null || language === 'und' ? [] : language));
  const agree = new Set(named.map(toMainLanguage)).size === 1;
  return facts.language ?? (agree ? named[0] : undefined);
}

/** A language without its region, by one code of ISO 639 where containers use up to three: `spa` and `es-MX` are `es`, `ger` and `deu` are `de`. */
export function toMainLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).language;
  } catch {
    return tag.toLowerCase();
  }
}

/** What a film's sidecars say of it as a whole, and who and what they place at a second; its file's name is its title for want of a better one. */
export function knownOfFilm(film: { id: string; fileName: string }, came: CameWithFilm): KnownOfFilm {
  const { facts } = came;
  return {
    facts: {
      name: facts.title || (film.fileName === '' ? `Footage ${film.id}` : titleOfFileName(film.fileName)),
      externalId: facts.externalId || null,
      description: facts.description || null,
      owner: facts.owner || null,
      recordedAt: facts.recordedAt || null,
      place: facts.place || null,
      language: toldLanguageOf(came) ?? fallbackLanguage,
      rights: facts.rights || null,
    },
    people: namesOf(facts.people),
    labels: namesOf(facts.labels),
    brands: namesOf(facts.brands),
    moments: [
      ...momentsOfFacts(facts.people, 'Face', 'editor'),
      ...momentsOfFacts(facts.labels, 'Annotations', 'editor'),
      ...momentsOfFacts(facts.brands, 'Brand', 'editor'),
    ],
  };
}
