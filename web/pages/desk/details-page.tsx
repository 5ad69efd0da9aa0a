import { useMutation, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { DetailsPreviewRow, FactName, FilmMark } from '#contract/corrections.ts';
import { toDisplayName } from '#contract/display-name.ts';
import { limits } from '#contract/limits.ts';
import { correctFact, detailsPreviewOf } from '#web/api/corrections.ts';
import { queryClient } from '#web/api/query-client.ts';
import { forgetOnOtherVisitor } from '#web/api/visitor-change.ts';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { createStore, useStore } from '#web/ui/store.ts';
import { showToast } from '#web/ui/toast.tsx';
import { DeskFrame } from './desk-frame.tsx';
import {
  type ColumnUse,
  changesOf,
  type DetailChange,
  type DetailsTable,
  factNames,
  guessUses,
  readTable,
  rowsAs,
} from './details-table.ts';
import { describeUndo, forEachFilm, outcomeOf, takeBack } from './for-each-film.ts';
import './desk.css';
import './films-table.css';
import './details.css';

interface ChosenTable extends DetailsTable {
  /** Tells this choice from another one, also of the same file. */
  readonly key: number;
  readonly name: string;
  readonly uses: readonly ColumnUse[];
}

/** Kept while films that it tells of are looked at. */
const chosenTable = createStore<ChosenTable | null>(null);
forgetOnOtherVisitor(() => chosenTable.set(null));

/** How far a table is written or taken back, also while another page is looked at; null while none is. */
const underWay = createStore<{ readonly done: number; readonly of: number } | null>(null);

/** More rows are changed as well; nobody reads them all. */
const rowsShown = 200;

/** What is known of many films, from a table: what each column holds is settled and every change seen before anything is written. */
export function DetailsPage() {
  const table = useStore(chosenTable);
  const [refusal, setRefusal] = useState('');
  const chooser = useRef<HTMLInputElement>(null);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    if (!file) return;
    const read = file.size > limits.detailsFileMaxBytes ? null : readTable(new Uint8Array(await file.arrayBuffer()));
    setRefusal(
      read ? (read.rows.length === 0 ? `${file.name} has no rows below its column names.` : '') : `${file.name} is larger than 20 MB.`,
    );
    chosenTable.set(
      read && read.rows.length > 0 ? { ...read, key: performance.now(), name: file.name, uses: guessUses(read.columns) } : null,
    );
  };
  return (
    <DeskFrame tab="details">
      <div className="table-head">
        <h2>Details from a table</h2>
      </div>
      <p className="desk-lead">
        Update titles, places, dates and rights of many videos at once from a table with column names in its first row (CSV, from any
        spreadsheet). You see what each row would change before anything is saved.
      </p>
      <p className="details-choose">
        <input ref={chooser} type="file" hidden accept=".csv,.tsv,.txt" aria-label="Table" onChange={choose} />
        <Button look={table ? 'outline' : 'primary'} onClick={() => chooser.current?.click()}>
          {table ? 'Choose another table' : 'Choose a table'}
        </Button>
        {table && <bdi>{table.name}</bdi>}
      </p>
      {refusal && <p role="alert">{refusal}</p>}
      {table && <Columns table={table} onUses={(uses) => chosenTable.set({ ...table, uses })} />}
      {table && <Changes key={keyOf(table)} table={table} />}
    </DeskFrame>
  );
}

function keyOf({ key, uses }: ChosenTable): string {
  return `${key} ${JSON.stringify(uses)}`;
}

const marks: readonly FilmMark[] = ['externalId', 'title', 'fileName', 'id'];
const markNames: Readonly<Record<FilmMark, string>> = {
  externalId: 'Which video: external id',
  title: 'Which video: title',
  fileName: 'Which video: file name',
  id: 'Which video: id',
};
const facts: readonly FactName[] = ['title', 'description', 'externalId', 'recordedAt', 'place', 'language', 'rights'];
/** Each use by what a choice calls it. */
const uses: ReadonlyMap<string, ColumnUse> = new Map<string, ColumnUse>([
  ['', null],
  ...marks.map((by): [string, ColumnUse] => [`mark ${by}`, { is: 'mark', by }]),
  ...facts.map((fact): [string, ColumnUse] => [`fact ${fact}`, { is: 'fact', fact }]),
]);

function nameOfUse(use: ColumnUse): string {
  if (!use) return 'ignored';
  return use.is === 'mark' ? markNames[use.by] : factNames[use.fact];
}

function valueOfUse(use: ColumnUse): string {
  if (!use) return '';
  return use.is === 'mark' ? `mark ${use.by}` : `fact ${use.fact}`;
}

function Columns({ table, onUses }: { table: ChosenTable; onUses: (uses: ColumnUse[]) => void }) {
  const change = (column: number, next: ColumnUse) =>
    // What one column holds no other does, and one alone tells the film.
    onUses(table.uses.map((use, n) => (n === column ? next : isSameUse(use, next) ? null : use)));
  return (
    <table className="table details-columns" aria-label="What each column holds">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Holds</th>
          <th scope="col">For example</th>
        </tr>
      </thead>
      <tbody>
        {table.columns.map((column, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are, and two may bear one name
          <tr key={n}>
            <th scope="row">
              <bdi>{column || `Column ${n + 1}`}</bdi>
            </th>
            <td>
              <select
                aria-label={`What “${column || `column ${n + 1}`}” holds`}
                value={valueOfUse(table.uses[n] ?? null)}
                onChange={(event) => change(n, uses.get(event.target.value) ?? null)}
              >
                {[...uses].map(([value, use]) => (
                  <option key={value} value={value}>
                    {nameOfUse(use)}
                  </option>
                ))}
              </select>
            </td>
            <td className="details-example">
              <bdi>{table.rows.find(({ cells }) => cells[n])?.cells[n] ?? ''}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isSameUse(one: ColumnUse, other: ColumnUse): boolean {
  if (!one || !other) return false;
  return one.is === 'mark' ? other.is === 'mark' : other.is === 'fact' && other.fact === one.fact;
}

/** What the table would change, what of it is left out, and the button that does it. */
function Changes({ table }: { table: ChosenTable }) {
  const asked = rowsAs(table, table.uses);
  const found = useQuery(detailsPreviewOf(keyOf(table), asked));
  const failure = useFailure(found);
  const isUnderWay = useSyncExternalStore(underWay.subscribe, () => underWay.read() !== null);
  const rows = (found.data ?? []).map((row, n) => ({ ...row, line: table.rows[n]?.line ?? 0 }));
  const { changes, doubled } = changesOf(rows);
  const films = new Set(changes.map(({ id }) => id)).size;
  const left = [
    ...table.remarks,
    ...doubled,
    ...rows.flatMap(({ line, problems }) => problems.map((problem) => `Row ${line}: ${problem}`)),
  ];
  const begin = ({ length }: readonly DetailChange[]) => underWay.set({ done: 0, of: length });
  const forEach = (all: readonly DetailChange[], act: (one: DetailChange) => Promise<void>) =>
    forEachFilm(all, act, (done) => underWay.set({ done, of: all.length }));
  const lookAgain = () => {
    underWay.set(null);
    void queryClient.invalidateQueries(detailsPreviewOf(keyOf(table), asked));
  };
  const write = useMutation({
    mutationFn: (all: readonly DetailChange[]) => forEach(all, writeDetail),
    onMutate: begin,
    onSettled: lookAgain,
    onSuccess: (result) => {
      const { made } = result;
      const outcome = outcomeOf(result);
      showToast(`${nameCount(made.length, 'detail')} changed.${outcome}`, outcome ? 'unfinished' : 'done', () => undo.mutate(made));
    },
    onError: (reason) => showToast(reason.message, 'failed'),
  });
  const undo = useMutation({
    mutationFn: (all: readonly DetailChange[]) => forEach(all.toReversed(), takeBack),
    onMutate: begin,
    onSettled: lookAgain,
    onSuccess: (result) => {
      const { left: again } = result;
      const isDone = again.length === 0;
      showToast(describeUndo(result, 'detail'), isDone ? 'done' : 'unfinished', isDone ? undefined : () => undo.mutate(again.toReversed()));
    },
  });
  if (!asked) return <p role="alert">Choose the column that says which video each row is about: by external id, title, file name or id.</p>;
  if (found.isPending && !failure) return <Spinner label="Looking for the videos" />;
  if (failure)
    return (
      <>
        {table.remarks.length > 0 && <LeftOut all={table.remarks} />}
        <LoadFailed says={failure.message} onRetry={found.refetch} />
      </>
    );
  return (
    <section aria-label="Changes">
      <div className="table-head">
        <h2>Changes</h2>
        <span className="tag">{changes.length.toLocaleString('en')}</span>
      </div>
      {left.length > 0 && <LeftOut all={left} />}
      {changes.length === 0 && (
        <p className="table-none">Nothing to change: the archive has all of this already, or none of these videos.</p>
      )}
      {changes.length > 0 && (
        <p className="details-do">
          <Button look="primary" busy={isUnderWay} onClick={() => write.mutate(changes)}>
            Change {nameCount(changes.length, 'detail')} of {nameCount(films, 'video')}
          </Button>
          <Progress />
        </p>
      )}
      {changes.length > 0 && <ChangeList rows={rows.filter(({ changes: all }) => all.length > 0)} />}
    </section>
  );
}

/** Beside the list: what is counted draws itself anew, and not the list. */
function Progress() {
  const now = useStore(underWay);
  return <span role="status">{now && now.done > 0 && `${now.done.toLocaleString('en')} of ${now.of.toLocaleString('en')}`}</span>;
}

function LeftOut({ all }: { all: readonly string[] }) {
  return (
    <details className="details-left">
      <summary>{nameCount(all.length, 'problem')}</summary>
      <ul>
        {all.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </details>
  );
}

function ChangeList({ rows }: { rows: readonly (DetailsPreviewRow & { line: number })[] }) {
  return (
    <>
      <table className="table films-table details-changes" aria-label="What is changed">
        <thead>
          <tr>
            <th scope="col">Video</th> <th scope="col">Details after the change</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, rowsShown).map(({ line, video, changes }) => (
            <tr key={line}>
              <td>
                {video && (
                  <Link className="link" to={paths.video(video.id)}>
                    <bdi>{toDisplayName(video.name)}</bdi>
                  </Link>
                )}
              </td>
              <td>
                {changes.map(({ fact, replaces, says }) => (
                  <p key={fact}>
                    {factNames[fact]}: <bdi>{says}</bdi> {replaces && <del>{replaces}</del>}
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > rowsShown && <p className="table-none">And {(rows.length - rowsShown).toLocaleString('en')} more.</p>}
    </>
  );
}

async function writeDetail(change: DetailChange): Promise<void> {
  const { id, fact, replaces, says } = change;
  change.correction = (await correctFact(id, { fact, replaces, says })).correction;
}
