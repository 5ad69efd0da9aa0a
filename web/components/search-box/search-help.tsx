import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { searchExamples } from '#web/api/search/search-examples.ts';
import { paths } from '#web/paths.ts';
import { Modal } from '#web/ui/modal.tsx';
import { type HelpRow, helpRows } from './help-rows.ts';
import './search-help.css';

/** What a query may hold, each shown by a search of this archive that can be tried at once. */
export function SearchHelp({ onClose }: { onClose: () => void }) {
  // Without an answer the examples are made of plain words; the help is of use all the same.
  const { data, isPending } = useQuery({ ...searchExamples(), retry: false });
  const { query, field } = helpRows(data);
  return (
    <Modal title="Search help" onClose={onClose}>
      <p className="modal-lead">Type what was said, written or seen. Every example is a search that you can try.</p>
      <div aria-busy={isPending || undefined} className={isPending ? 'invisible' : undefined}>
        <Rows heading="In a query" rows={query} onChosen={onClose} />
        <Rows heading="In one place only" rows={field} onChosen={onClose} />
      </div>
      <p className="modal-fine">
        <span className="keycap">/</span> leads to the search box from anywhere. <span className="keycap">↓</span>{' '}
        <span className="keycap">↑</span> or <span className="keycap">n</span> <span className="keycap">Shift n</span> walk through the
        moments of the results, <span className="keycap">↵</span> opens one.
      </p>
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
                {example}
              </Link>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
