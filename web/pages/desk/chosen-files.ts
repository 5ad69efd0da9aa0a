import { isFolderOfPeople, isFootageName, isSidecarName, readSidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { forgetOnOtherVisitor } from '#web/api/visitor-change.ts';
import { createStore } from '#web/ui/store.ts';

/** A file with the folder that it was found in, as far as that is known. */
export interface ChosenFile {
  readonly file: File;
  readonly folder: string;
}

/** Files that tell of films from elsewhere, on their way from where they were dropped to the page that shows what is in them; `key` tells one choice from another. */
export const chosenWork = createStore<{ readonly key: number; readonly files: readonly File[] }>({ key: 0, files: [] });
forgetOnOtherVisitor(() => chosenWork.set({ key: chosenWork.read().key + 1, files: [] }));

export interface SortedFiles {
  readonly films: readonly { readonly file: File; readonly sidecars: readonly File[] }[];
  /** What tells of films from elsewhere: looked into before it is taken. */
  readonly tells: readonly File[];
  /** What is not sent, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Films, each with what lies beside it under its name; what lies beside a film that is here already; and what cannot be sent. */
export function sortFiles(chosen: readonly ChosenFile[], { fileMaxBytes }: { readonly fileMaxBytes: number }): SortedFiles {
  const whyNot = ({ file: { name, size } }: ChosenFile) => {
    if (!isFootageName(name) && !isSidecarName(name) && !tellsOfFilms(name))
      return 'not a video, audio, subtitle, transcript or details file';
    if (size === 0) return 'it is empty';
    const maxBytes = isFootageName(name) ? fileMaxBytes : isSidecarName(name) ? limits.sidecarMaxBytes : limits.existingWorkMaxBytes;
    return size > maxBytes ? `larger than ${formatBytes(maxBytes)}` : undefined;
  };
  const visible = chosen.filter(({ file }) => !file.name.startsWith('.'));
  const fit = visible.filter((one) => whyNot(one) === undefined);
  const films = fit.filter(({ file }) => isFootageName(file.name));
  const belongs = (one: ChosenFile, film: ChosenFile) =>
    one.folder === film.folder && isSidecarName(one.file.name) && readSidecarName(one.file.name, film.file.name) !== undefined;
  const beside = fit.filter(({ file }) => !isFootageName(file.name));
  const lonely = beside.filter((one) => !films.some((film) => belongs(one, film)));
  return {
    films: [
      ...films.map((film) => ({ file: film.file, sidecars: beside.filter((one) => belongs(one, film)).map(({ file }) => file) })),
      // The archive knows whether a film came as a file of such a name before.
      ...lonely.filter(({ file }) => !tellsOfFilms(file.name)).map(({ file }) => ({ file, sidecars: [] })),
    ],
    tells: lonely.map(({ file }) => file).filter(({ name }) => tellsOfFilms(name)),
    left: visible.flatMap((one) => ({ name: one.file.name, why: whyNot(one) ?? '' })).filter(({ why }) => why !== ''),
  };
}

/** By its name; beside its film it is a sidecar. */
function tellsOfFilms(name: string): boolean {
  return /(?<!\.(?:whisper|sphinx|wav))\.(?:json|jsonl|xml)$/i.test(name);
}

/** `31 GB`, `2.1 GB`, `640 kB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1_000 ** step;
  return `${amount < 10 && step > 0 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[step]}`;
}

/** What was dropped, with every file of people below the folders among it, and the names of what could not be opened. */
export async function filesOfDrop(dropped: Iterable<Dropped>): Promise<{ chosen: ChosenFile[]; unread: string[] }> {
  // Only while the drop is told of does the browser say what it was.
  const found = [...dropped].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const unread: string[] = [];
  const files = found.map(({ entry, file }) => (entry ? filesBelow(entry, { folder: '', unread }) : file ? [{ file, folder: '' }] : []));
  return { chosen: (await Promise.all(files)).flat(), unread };
}

type Dropped = Pick<DataTransferItem, 'webkitGetAsEntry' | 'getAsFile'>;

/** What was chosen by the browser's own dialog: files, or those of people in a folder. */
export function filesOfChoice(chosen: FileList | null): ChosenFile[] {
  const found = [...(chosen ?? [])].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));
  // The first is what was chosen, whatever it is called.
  return found
    .filter(({ folders }) => folders.slice(1).every(isFolderOfPeople))
    .map(({ file, folders }) => ({ file, folder: folders.join('/') }));
}

/** A broken link, a file that has gone or a folder that is closed keeps none of the others from coming. */
async function filesBelow(entry: FileSystemEntry, { folder, unread }: { folder: string; unread: string[] }): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  try {
    if (isFile(entry)) found.push({ file: await new Promise<File>((read, failed) => entry.file(read, failed)), folder });
    for await (const one of isFolder(entry) && (folder === '' || isFolderOfPeople(entry.name)) ? entriesOf(entry) : [])
      found.push(...(await filesBelow(one, { folder: `${folder}/${entry.name}`, unread })));
  } catch {
    unread.push(entry.name);
  }
  return found;
}

async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    // It tells of a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((read, failed) => reader.readEntries(read, failed));
    if (some.length === 0) return;
    yield* some;
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
