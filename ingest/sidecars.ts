import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FootageFacts, noFacts, readFacts } from './footage-facts.ts';

const subtitleName = /^(?:\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?\.(srt|vtt|ttml|dfxp|ass|ssa)$/i;
const keptName = /^subtitles-\d+(?:\.([A-Za-z0-9-]+))?\.\w+$/;
const sidecarMaxBytes = 20 * 1024 * 1024;

export interface Sidecars {
  readonly facts: FootageFacts;
  readonly subtitles: readonly SubtitleFile[];
  readonly remarks: readonly string[];
}

export interface SubtitleFile {
  readonly path: string;
  readonly language: string | null;
}

/** What lies beside a film under its name: `name.json`, `name.srt`, `name.en.vtt`. */
export async function findSidecars(filmPath: string): Promise<Sidecars> {
  const folder = dirname(filmPath);
  const stem = withoutExtension(basename(filmPath));
  const isSidecar = (name: string) => name === `${stem}.json` || (name.startsWith(stem) && subtitleName.test(name.slice(stem.length)));
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isSidecar(name));
  // A link may lead to any file of this machine, and a pipe is never read to its end.
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const remarks = names.length < entries.length ? ['a link or special file beside it was not read'] : [];
  const subtitles = names
    .filter((name) => name !== `${stem}.json`)
    .sort()
    .map((name) => ({ path: join(folder, name), language: subtitleName.exec(name.slice(stem.length))?.[1] ?? null }));
  if (!names.includes(`${stem}.json`)) return { facts: noFacts, subtitles, remarks };
  const read = await readFactsFile(join(folder, `${stem}.json`));
  return { subtitles, facts: read.facts, remarks: [...remarks, ...read.remarks] };
}

/** Keeps copies of the sidecars with the video, under names of our own. */
export async function keepSidecars(folder: string, sidecars: Sidecars): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'facts.json'), JSON.stringify(sidecars.facts));
  for (const [n, subtitles] of sidecars.subtitles.entries()) {
    if ((await stat(subtitles.path)).size > sidecarMaxBytes) continue;
    const language = subtitles.language ? `.${subtitles.language}` : '';
    await copyFile(subtitles.path, join(folder, `subtitles-${n}${language}.txt`));
  }
}

/** The sidecars that were kept with a video. */
export async function readKeptSidecars(folder: string): Promise<Sidecars> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const subtitles = names.flatMap((name) => {
    const found = keptName.exec(name);
    return found ? [{ path: join(folder, name), language: found[1] ?? null }] : [];
  });
  if (!names.includes('facts.json')) return { facts: noFacts, subtitles, remarks: [] };
  return { subtitles, ...(await readFactsFile(join(folder, 'facts.json'))) };
}

function withoutExtension(name: string): string {
  return name.replace(/\.[^.]*$/, '') || name;
}

async function readFactsFile(path: string): Promise<{ facts: FootageFacts; remarks: string[] }> {
  if ((await stat(path)).size > sidecarMaxBytes) return { facts: noFacts, remarks: ['facts file not used (larger than 20 MB)'] };
  return readFacts(await readFile(path, 'utf8'));
}
