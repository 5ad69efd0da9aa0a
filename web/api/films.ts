import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CaptionState, ExistingWorkPreview, ExistingWorkTaken, FilmRevision, FoundLines } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import { accountPath, pageSettings } from '#web/page-settings.ts';
import { buildRequest } from './build-request.ts';
import { askArchive, call } from './call.ts';
import { CallFailed } from './call-failed.ts';
import { correctionsOf, facesOf, linesOf, toBase64 } from './corrections.ts';
import { queryClient, renameWatched, toFactsKey } from './query-client.ts';
import { videoTokenOf, withToken } from './tokens.ts';
import { visibilityOf } from './visibility.ts';

/** Films as editors choose them, page by page, the newest first. */
export function filmsOnDesk(asked: { captions: CaptionState | null; text: string }) {
  return infiniteQueryOptions({
    queryKey: ['films', asked],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listFilms',
        { text: asked.text, captions: asked.captions ?? undefined, skip: String(pageParam), pageSize: String(limits.filmsPerPage) },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * limits.filmsPerPage < total ? pages.length * limits.filmsPerPage : undefined),
    placeholderData: keepPreviousData,
    // Others correct too, and films come in.
    staleTime: 0,
  });
}

/** Looks through what is said in all films, piece by piece, telling after each how many films that were. Throws a `CallFailed`. */
export async function findInAllLines(
  find: string,
  { signal, tell }: { signal: AbortSignal; tell: (looked: number) => void },
): Promise<FoundLines['films']> {
  const films: FoundLines['films'] = [];
  let looked = 0;
  for (let after: string | null = ''; after !== null; ) {
    const page: FoundLines = await call('findLines', { find, after }, { signal });
    films.push(...page.films);
    looked += page.looked;
    tell(looked);
    after = page.next;
  }
  return films;
}

/** What a file tells of films, or in a sentence why it is not taken. */
export interface ReadWork {
  readonly key: string;
  readonly file: File;
  readonly preview?: ExistingWorkPreview;
  readonly refusal?: string;
}

/** What each of these files would bring in; `choice` tells one choice of files from another. */
export function existingWorkOf(choice: number, files: readonly File[]) {
  return queryOptions({
    queryKey: ['existing-work', choice],
    queryFn: async ({ signal }) => {
      const read: ReadWork[] = [];
      // One after the other: to read one keeps the server busy for a moment.
      for (const [n, file] of files.entries()) read.push({ key: `${n} ${file.name}`, file, ...(await readWork(file, signal)) });
      return read;
    },
    staleTime: 0,
  });
}

async function readWork(file: File, signal: AbortSignal): Promise<Pick<ReadWork, 'preview' | 'refusal'>> {
  if (file.size > limits.existingWorkMaxBytes)
    return { refusal: 'It is larger than 10 MB. Ask an operator to import it: npm run import -- --transcripts' };
  try {
    return { preview: await call('previewExistingWork', { name: file.name, file: await toBase64(file) }, { signal }) };
  } catch (error) {
    if (error instanceof CallFailed && error.status === 400) return { refusal: error.message };
    throw error;
  }
}

/** Takes in what a file tells of; returns what came in. Throws a `CallFailed` with the server's words. */
export async function takeExistingWork(file: File): Promise<ExistingWorkTaken> {
  return await call('takeExistingWork', { name: file.name, file: await toBase64(file) });
}

/** What is known of a film's last change, and what to say of one that somebody else made while the page is open. */
type FollowedRevision = FilmRevision & { readonly news: News | null };

/** The sentence, and when it happened: two changes of one person read alike. */
interface News {
  readonly sentence: string;
  readonly at: string;
}

const lookEveryMs = 2_000;

/** Looks every two seconds whether somebody has changed a film, by whichever server, and has what the page shows of it asked for again. */
export function followRevision(id: string) {
  return queryOptions({
    queryKey: ['revision', id],
    queryFn: async ({ signal, client, queryKey }): Promise<FollowedRevision> => {
      const before = client.getQueryData<FollowedRevision>(queryKey);
      const now = await call('filmRevision', { id }, { signal });
      if (!before || isSameRevision(before, now)) return { ...now, news: before?.news ?? null };
      renameWatched(id, now.name);
      const shown = [linesOf(id), correctionsOf(id), facesOf(id), visibilityOf(id), { queryKey: toFactsKey(id) }];
      for (const { queryKey } of shown) void client.invalidateQueries({ queryKey });
      return { ...now, news: newsOf(before, now) ?? before.news };
    },
    staleTime: 0,
    // A film that is gone does not change.
    refetchInterval: ({ state: { error } }) => (error instanceof CallFailed && error.status === 404 ? false : lookEveryMs),
  });
}

function isSameRevision(one: FilmRevision, other: FilmRevision): boolean {
  const isSameLast = one.last?.correction === other.last?.correction && one.last?.isUndone === other.last?.isUndone;
  return one.revision === other.revision && one.keptBackAt === other.keptBackAt && isSameLast;
}

/** Where a correction is forgotten for good, the last one is an older one, and no news. */
function newsOf(before: FilmRevision, { last }: FilmRevision): News | null {
  if (!last || last.isOwn || (before.last && last.at <= before.last.at)) return null;
  return {
    sentence: `${last.by || 'Someone'} has just ${last.isUndone ? 'undone a correction' : 'made a correction'} here.`,
    at: last.at,
  };
}

/** Has another second of a film stand for it; a worker draws it in a moment. Throws a `CallFailed` with the server's words. */
export async function choosePoster(id: string, atMs: number): Promise<void> {
  await call('choosePoster', { id, atMs });
  void queryClient.invalidateQueries({ queryKey: correctionsOf(id).queryKey });
}

/** Saves what is said in a film, as it is corrected now, as a file of the visitor's device. Throws a `CallFailed`. */
export async function saveCaptions(id: string, format: 'vtt' | 'srt'): Promise<void> {
  const ask = async (accessToken: string) => {
    const { path } = buildRequest(routes.captions, { ...accountPath, id, format, accessToken });
    const answer = await askArchive(pageSettings.videoServiceBase + path, {}, { takesLong: true });
    return await answer.blob();
  };
  const address = URL.createObjectURL(await withToken(videoTokenOf(id), ask));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${id}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
