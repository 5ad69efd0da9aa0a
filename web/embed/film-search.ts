import { limits } from '#contract/limits.ts';
import { matchKindOf } from '#contract/match-kinds.ts';
import type { FilmMatch } from '#contract/video-service/answers.ts';
import { call } from '#web/api/call.ts';
import { CallFailed, isIndexNotReady } from '#web/api/call-failed.ts';
import { isTooLong } from '#web/components/read-query.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import { createStore, type Store } from '#web/ui/store.ts';
import type { EmbedAddress } from './embed-address.ts';
import type { MarkedMoment } from './marked-moment.ts';
import type { ParentPage } from './parent-page.ts';

/** What is looked for in the film, and what the archive found. While it is asked, what was found before stays. */
export interface SearchInFilm {
  readonly query: string;
  /** One that waits is asked again by itself. */
  readonly state: 'none' | 'asking' | 'answered' | 'waiting' | 'failed';
  /** Why there is no answer, as the archive says it. */
  readonly reason: string;
  /** In order of time; what belongs to the film as a whole, as its title, stands at its beginning. */
  readonly found: readonly MarkedMoment[];
  /** How many there are in truth. */
  readonly total: number;
  /** What was searched for in place of words that occur nowhere; empty where all were taken as they are. */
  readonly takenFor: string;
}

/** A search inside one film. The archive answers, by the rules of its own search, so that a frame finds what a card promises. */
export interface FilmSearch extends Store<SearchInFilm> {
  /** Looks for something else; who types on is asked about once they pause. */
  look(query: string): void;
  retry(): void;
}

const nothing: SearchInFilm = { query: '', state: 'none', reason: '', found: [], total: 0, takenFor: '' };
const askAgainSeconds = 3;
const pauseMs = 150;
const tooLong = `A query may have up to ${limits.queryMaxCodePoints.toLocaleString('en')} characters. Shorten it.`;

/** Opens the search of the film in this address. With a token that is refused it asks the page for a fresh one, and goes on with that. */
export function openFilmSearch({ location, accountId: account, videoId: id, accessToken }: EmbedAddress, page: ParentPage): FilmSearch {
  const store = createStore(nothing);
  let token = accessToken;
  let asking = new AbortController();
  let timer = 0;
  // One token is asked for at a time, or a search that stays refused would ask for ever.
  let hasAskedForToken = false;

  const ask = async (query: string, tries = 1) => {
    const { signal } = asking;
    try {
      const answer = await call('filmMatches', { location, account, id, query }, { accessToken: token, signal });
      if (signal.aborted) return;
      hasAskedForToken = false;
      const found = answer.searchMatches.map(toMarkedMoment);
      const takenFor = answer.searchedFor?.text ?? '';
      store.set({ ...nothing, query, state: 'answered', found, total: answer.searchMatchesTotal, takenFor });
    } catch (reason) {
      // Somebody who goes on typing has another search by now.
      if (signal.aborted) return;
      const isBusy = reason instanceof CallFailed && reason.status === 503 && tries < limits.filmSearchTriesMax;
      if (isBusy || isIndexNotReady(reason)) {
        store.set({ ...nothing, query, state: 'waiting', reason: reason.message });
        timer = window.setTimeout(() => ask(query, tries + 1), 1_000 * (reason.retryAfterSeconds ?? askAgainSeconds));
        return;
      }
      store.set({ ...nothing, query, state: 'failed', reason: 'The search failed. Try again.' });
      const isRefused = reason instanceof CallFailed && (reason.status === 401 || reason.status === 403);
      if (isRefused && !hasAskedForToken) page.say({ expired: true });
      hasAskedForToken = isRefused;
    }
  };
  const begin = (query: string, afterMs: number) => {
    asking.abort();
    asking = new AbortController();
    window.clearTimeout(timer);
    if (query.trim() === '') return store.set({ ...nothing, query });
    if (isTooLong(query)) return store.set({ ...nothing, query, state: 'failed', reason: tooLong });
    store.set({ ...store.read(), query, state: 'asking' });
    timer = window.setTimeout(() => ask(query), afterMs);
  };
  const retry = () => begin(store.read().query, 0);
  page.listen((message) => {
    if (message.accessToken === undefined) return;
    token = message.accessToken;
    if (store.read().state === 'failed') retry();
  });
  return {
    read: store.read,
    subscribe: store.subscribe,
    look: (query) => {
      if (query !== store.read().query) begin(query, store.read().query === '' ? 0 : pauseMs);
    },
    retry,
  };
}

/** Goes from match to match of what stands in the field: where that is still asked for, once it is answered, unless it is typed over or fails. */
export function stepOnceAnswered<Step>(search: Store<SearchInFilm>, go: (step: Step) => void): (step: Step) => void {
  let meant: { readonly query: string; readonly step: Step } | null = null;
  search.subscribe(() => {
    const { query, state } = search.read();
    if (meant === null || (isUnanswered(state) && query === meant.query)) return;
    const { query: asked, step } = meant;
    meant = null;
    if (state === 'answered' && query === asked) go(step);
  });
  return (step) => {
    const { query, state } = search.read();
    if (isUnanswered(state)) meant = { query, step };
    else go(step);
  };
}

function isUnanswered(state: SearchInFilm['state']): boolean {
  return state === 'asking' || state === 'waiting';
}

function toMarkedMoment({ type, startTime, text, ranges, lines, byMeaning }: FilmMatch, n: number): MarkedMoment {
  return {
    id: `${type}-${n}`,
    kind: matchKindOf(type),
    startInSeconds: parseTimeCode(startTime),
    text,
    ranges: ranges ?? [],
    lines: lines ?? [],
    isByMeaning: byMeaning === true,
  };
}
