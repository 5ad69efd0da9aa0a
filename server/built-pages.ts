import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { glob, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageSettings, providerIds } from '#contract/archive.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import type { Context } from './context.ts';

/** Runs the build of the pages into a folder; false when it failed. */
export type BuildPages = (outputFolder: string) => Promise<boolean>;

/** Builds the pages when their sources have changed since the last time. */
export async function buildStalePages(root: string, build: BuildPages): Promise<void> {
  const folder = join(root, 'dist', 'web');
  const wanted = await hashSources(root);
  if (stampOf(folder) === wanted) return;
  // Built beside and moved into place, so that a start killed half way, or two at once, never leave half a site.
  const draft = join(root, 'dist', `web-${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true });
    sweepDrafts(join(root, 'dist'));
    if (!(await build(draft)))
      throw new OperatorFault('The pages could not be built; the lines above say why. Run `npm run build` to try again.');
    await precompress(join(draft, 'assets'));
    writeFileSync(join(draft, stampName), wanted);
    if (stampOf(folder) !== wanted) replaceFolder(folder, draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const stampName = '.stamp';
const forgottenAfterMs = 3_600_000;

/** Drafts of starts that were killed. */
function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const draft = join(folder, name);
    if (name.startsWith('web-') && Date.now() - statSync(draft).mtimeMs > forgottenAfterMs) rmSync(draft, { recursive: true, force: true });
  }
}

function stampOf(folder: string): string | undefined {
  const file = join(folder, stampName);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function replaceFolder(folder: string, draft: string): void {
  const old = `${draft}-old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(draft, folder);
  rmSync(old, { recursive: true, force: true });
}

async function hashSources(root: string): Promise<string> {
  const files: string[] = ['package-lock.json', 'vite.config.ts'];
  for await (const entry of glob(['{web,contract}/**/*'], { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.map((name) => name.replace(`${root}/`, '')).sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Lays a `.br` and a `.gz` beside every text file of a folder, once, so that no request waits for a compressor. */
async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => /\.(js|css|svg|json)$/.test(name)).map((name) => compressFile(join(folder, name))));
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  await Promise.all([
    writeFile(`${file}.br`, await brotli(content, quality)),
    writeFile(`${file}.gz`, await deflate(content, { level: 9 })),
  ]);
}

type DocumentName = 'index' | 'embed/player' | 'embed/insights';

interface Filling {
  /** What else the head is to hold, before the settings. */
  readonly head?: string;
  readonly holds?: PageSettings['holds'];
}

/** Gives the built documents with the settings of this archive in them; each is read once. */
export function openDocuments(context: Context): (name: DocumentName, filling?: Filling) => string {
  const settings = pageSettingsOf(context);
  const read = new Map<DocumentName, readonly string[]>();
  return (name, { head = '', holds = [] } = {}) => {
    const known = read.get(name);
    const pieces = known ?? readFileSync(join(context.config.pagesFolder, `${name}.html`), 'utf8').split('<!--page-settings-->');
    if (!known) read.set(name, pieces);
    return pieces.join(`${head}<script type="application/json" id="page-settings">${toScriptText({ ...settings, holds })}</script>`);
  };
}

const practiceProviders: readonly (typeof providerIds)[number][] = ['google', 'microsoft'];

function pageSettingsOf({ config, settings, mail, mailbox }: Context): Omit<PageSettings, 'holds'> {
  const offered = config.practice ? practiceProviders : config.providers.map(({ id }) => id);
  return {
    archive: settings,
    practice: config.practice,
    ...config.videoService,
    films: config.azure ? 'azure' : 'here',
    cdn: config.cdn !== undefined,
    emailSignIn: mail !== null,
    practiceMailbox: mailbox !== null,
    providers: offered.map((id) => ({ id, name: (id === 'oidc' && config.operatorsProvider?.name) || signInWayNames[id] })),
  };
}

/** JSON that cannot end the script element it stands in. */
function toScriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
