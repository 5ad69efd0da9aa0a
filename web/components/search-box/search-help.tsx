import { useQuery } from '@tanstack/react-query';
import { Fragment, useId } from 'react';
import { Link } from 'react-router';
import { searchExamples } from '#web/api/search/suggestions.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { LetterKeysSwitch } from '#web/ui/letter-keys.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { narrowToHeld } from '../text/own-words.ts';
import './search-help.css';
import type { SearchExamples } from '#contract/search-facets.ts';

/** What a query may hold, each shown by a search of this archive that can be tried at once. */
export function SearchHelp({ onClose }: { onClose: () => void }) {
  // Without an answer the examples are made of plain words; the help is of use all the same.
  const { data, isLoading } = useQuery({ ...searchExamples(), retry: false, enabled: filmsAreHere });
  const { query, field } = helpRows(data);
  return (
    <Modal title="Search help" onClose={onClose}>
      <p className="modal-lead">{narrowToHeld('Type what was said, written or seen.', pageSettings.holds)} Click an example to try it.</p>
      <div aria-busy={isLoading || undefined} className={isLoading ? 'invisible' : undefined}>
        <Rows heading="Search terms" rows={query} onChosen={onClose} />
        <Rows heading="Search one field" rows={field} onChosen={onClose} />
      </div>
      <p className="modal-fine">
        <span className="keycap">/</span> moves to the search box from anywhere. <span className="keycap">↓</span>{' '}
        <span className="keycap">↑</span> or <span className="keycap">n</span> <span className="keycap">Shift n</span> move through the
        moments in the results, <span className="keycap">↵</span> opens one, <span className="keycap">y</span> copies it, or a title, as a
        citation.
      </p>
      <LetterKeysSwitch />
    </Modal>
  );
}

function Rows({ heading, rows, onChosen }: { heading: string; rows: readonly HelpRow[]; onChosen: () => void }) {
  const id = useId();
  return (
    <section className="search-help-rows" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <dl>
        {rows.map(({ example, meaning }) => (
          <div key={example}>
            <dt>
              <Link className="tc" to={paths.search(example)} onClick={onChosen}>
                {example.split(' ').map((word, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an example never changes
                  <Fragment key={place}>
                    {place > 0 && ' '}
                    <span>{word}</span>
                  </Fragment>
                ))}
              </Link>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface HelpRow {
  /** A whole query. */
  readonly example: string;
  readonly meaning: string;
}

/** Every operator and field word with an example; a kind of thing that the archive has none of is left out, once that is known. */
function helpRows(examples: SearchExamples | undefined): { query: HelpRow[]; field: HelpRow[] } {
  const one = examples?.title ?? 'harbour';
  const other = examples?.otherTitle ?? (one === 'night' ? 'evening' : 'night');
  const phrase = examples?.phrase ?? 'at night';
  const known = examples ?? withoutAnswer;
  return {
    query: [
      { example: `${one} ${other}`, meaning: 'Matches either word; videos with both come first.' },
      { example: `"${phrase}"`, meaning: 'These words in this order, even across two lines.' },
      { example: `${one} +${other}`, meaning: 'The second word must appear, spelt exactly so.' },
      { example: `${one} -${other}`, meaning: 'Excludes videos with the second word. Phrases work too.' },
      { example: `${one} OR ${other}`, meaning: 'Either word; one is enough.' },
    ],
    field: [
      ...toHelpRows('said', known.said, 'Spoken words.'),
      ...toHelpRows('written', known.written, 'On-screen text.'),
      ...toHelpRows('title', known.title, 'Titles.'),
      ...toHelpRows('person', known.person, 'People.'),
      ...toHelpRows('brand', known.brand, 'Brands.'),
      ...toHelpRows('label', known.label, 'Things seen in the picture.'),
      ...toHelpRows('id', known.id, 'One video, by its id.'),
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

function toHelpRows(field: string, text: string | null, meaning: string): HelpRow[] {
  if (text === null) return [];
  return [{ example: `${field}:${/\s/.test(text) ? `"${text}"` : text}`, meaning }];
}
