import type { FactName, NameKind } from '#contract/corrections.ts';
import { toDisplayName } from '#contract/display-name.ts';
import type { FilmOnDesk } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { undoCorrections } from '#web/api/corrections.ts';
import { forgetOnOtherVisitor } from '#web/api/visitor-change.ts';
import { nameCount } from '#web/components/text/count-wording.ts';

/** What became of a change of several films. */
export interface ForEach<T> {
  readonly made: T[];
  /** Those that were not changed. */
  readonly left: T[];
  /** A sentence for each of those, in their order. */
  readonly failed: string[];
}

/** What a change is about, by the name that people know. */
export interface Named {
  readonly name: string;
}

/** How often somebody else has signed in at this page. */
let others = 0;
forgetOnOtherVisitor(() => {
  others += 1;
});

/**
 * Does something with one after the other, as an editor would; what is refused holds up none of the others. It goes on while other
 * pages of the site are looked at, and the browser asks before the tab is closed. Throws when somebody else has signed in meanwhile.
 */
export async function forEachFilm<T extends Named>(
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
  tell: (done: number) => void,
): Promise<ForEach<T>> {
  const [made, left, failed]: [T[], T[], string[]] = [[], [], []];
  const mine = others;
  const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', askBeforeClosing);
  try {
    for (const one of all) {
      try {
        await act(one);
        made.push(one);
      } catch (error) {
        left.push(one);
        failed.push(error instanceof Error ? error.message : String(error));
      }
      if (others !== mine) throw new Error('Stopped: someone else has signed in.');
      tell(made.length + failed.length);
    }
  } finally {
    window.removeEventListener('beforeunload', askBeforeClosing);
  }
  return { made, left, failed };
}

/** Takes back what was changed in a film, if anything was; what was taken back before is as it should be. Throws a `CallFailed`. */
export async function takeBack({ id, correction }: { readonly id: string; readonly correction?: number | null }): Promise<void> {
  if (correction) await undoCorrections(id, [correction]);
}

/** What to say when several changes were taken back, and which were not. */
export function describeUndo(result: ForEach<Named>, what: string): string {
  const { made, left } = result;
  if (left.length === 0) return 'Undone.';
  return `${nameCount(made.length, what)} undone, ${left.length.toLocaleString('en')} not.${outcomeOf(result)}`;
}

/** What of it to say when it is done: what was not and why, if anything was not. */
export function outcomeOf({ left, failed }: Pick<ForEach<Named>, 'left' | 'failed'>): string {
  const [first] = left;
  if (!first) return '';
  return ` “${toDisplayName(first.name)}”: ${failed[0]}${failed.length > 1 ? ` And ${failed.length - 1} more.` : ''}`;
}

/** What becomes of a film, and the correction by which it is, once that was written. */
export interface DetailChange {
  readonly id: string;
  readonly name: string;
  readonly replaces: string;
  readonly says: string;
  correction?: number | null;
}

export function isNames(detail: FactName | NameKind): detail is NameKind {
  return detail === 'labels' || detail === 'brands' || detail === 'people';
}

/** What each film has now, of those that have something else. Throws a `CallFailed`, and what is wrong with the text. */
export async function factsToChange(
  films: readonly FilmOnDesk[],
  { fact, says }: { fact: FactName; says: string },
): Promise<DetailChange[]> {
  const changes: DetailChange[] = [];
  for (let n = 0; n < films.length; n += limits.detailsRowsMax) {
    const rows = films.slice(n, n + limits.detailsRowsMax).map(({ id: mark }) => ({ mark, says: { [fact]: says } }));
    const found = await call('previewDetails', { by: 'id', rows });
    const [problem] = found.rows.flatMap(({ video, problems }) => (video ? problems : []));
    if (problem) throw new Error(problem);
    for (const { video, changes: all } of found.rows)
      if (video) changes.push(...all.map((one) => ({ ...video, replaces: one.replaces, says: one.says })));
  }
  return changes;
}

/** The films that do not name it yet: of the others nothing is taken back later. */
export async function findFilmsWithoutName(
  films: readonly FilmOnDesk[],
  { kind, says }: { kind: NameKind; says: string },
): Promise<DetailChange[]> {
  const changes: DetailChange[] = [];
  for (const { id, name } of films) {
    // One that is gone, or cannot be asked, says why when it is to be changed, and holds up none of the others.
    const isNamed = await call('listCorrections', { id }).then(
      ({ names }) => names[kind].includes(says),
      () => false,
    );
    if (!isNamed) changes.push({ id, name, replaces: '', says });
  }
  return changes;
}
