/*
 * What came with a film lies below a key of its own: what is told of it in facts.json, and its files as they came, under names that are known here alone.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { SidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { readStored } from '../files/read-stored.ts';
import { sha256OfFile, sha256OfStored } from '../files/sha256.ts';
import type { FileStore, StoredFile } from '../files/store.ts';
import { parseJson } from '../system/parse-json.ts';

/** Notes what came with a film says of it, over what was said before: where it says nothing of something, that stays. */
export async function keepTold(store: FileStore, below: string, told: object): Promise<void> {
  const says = Object.fromEntries(Object.entries(told).filter(saysSomething));
  await store.put(`${below}/facts.json`, Buffer.from(JSON.stringify({ ...(await readTold(store, below)), ...says })));
}

/** What is told of a film below a key; nothing where nothing is, or nothing that can be read. */
export async function readTold(store: FileStore, below: string): Promise<Record<string, unknown>> {
  return Told.safeParse(parseJson(String(await readStored(store, `${below}/facts.json`)))).data ?? {};
}

const Told = z.record(z.string(), z.unknown());

function saysSomething([, value]: [name: string, value: unknown]): boolean {
  return value !== undefined && value !== null && JSON.stringify(value) !== '[]';
}

/** The names of what is told of a film below a key. */
export async function readToldNames(store: FileStore, below: string): Promise<string[]> {
  return Object.entries(await readTold(store, below))
    .filter(saysSomething)
    .map(([name]) => name);
}

interface CameBeside {
  /** What is told of the film, its file's name among it. */
  readonly told: { readonly fileName: string };
  readonly sidecars: readonly { readonly as: SidecarName; readonly path: string }[];
  /** Whether the film is another one from now on: the words of before are none of it. */
  readonly isOtherFile?: boolean;
}

/**
 * Puts what lay beside a film below a key, unread: the worker looks into it. What that takes the place of goes to the trash, what is too large stays
 * where it lay; the same call may be made again.
 */
export async function keepSidecars(store: FileStore, below: string, { told, sidecars, isOtherFile = false }: CameBeside): Promise<void> {
  await keepTold(store, below, told);
  const coming = sidecars.map((sidecar, n) => {
    const kind = toKeptKind(sidecar.as);
    const ofKind = sidecars.slice(0, n).filter(({ as }) => toKeptKind(as) === kind);
    return { key: keyOf(below, sidecar.as, ofKind.length), bringsWords: wordKinds.includes(kind), path: sidecar.path };
  });
  const reason = `Replaced by what came with “${told.fileName}”.`;
  if (isOtherFile && coming.some(({ bringsWords }) => bringsWords))
    for (const { key, kind } of await listKeptSidecars(store, below))
      if (wordKinds.includes(kind) && !coming.some((one) => one.key === key)) await store.remove(key, reason);
  for (const { key, path } of coming) {
    if ((await stat(path)).size > limits.sidecarMaxBytes) continue;
    const there = await store.stat(key);
    if (there && (await findSame(store, [there], path))) continue;
    if (there) await store.copyToTrash(key, reason);
    await store.put(key, { copyOf: path });
  }
}

const kinds = { subtitles: 'subtitles', chapters: 'chapters', transcript: 'transcript', 'facts or transcript': 'unread' } as const;
type KeptKind = (typeof kinds)[keyof typeof kinds];

/** Kinds that tell what is said. */
const wordKinds: readonly KeptKind[] = ['subtitles', 'transcript'];

/** What a sidecar is kept as: what may be facts or a transcript is looked into by whoever reads it. */
export function toKeptKind({ holds }: SidecarName): KeptKind {
  return kinds[holds];
}

/** Where a sidecar lies that is number `n` of its kind. */
export function keyOf(below: string, as: SidecarName, n: number): string {
  return `${below}/${toKeptKind(as)}-${n}${as.language ? `.${as.language}` : ''}.txt`;
}

/** A sidecar in the store. */
export interface KeptSidecar extends StoredFile {
  readonly kind: KeptKind;
  readonly language: string | null;
}

const keptName = /^(subtitles|chapters|transcript|unread)-\d+(?:\.([A-Za-z0-9-]+))?\.\w+$/;

/** The sidecars that lie below a key, in the order of their names. */
export async function listKeptSidecars(store: FileStore, below: string): Promise<KeptSidecar[]> {
  const files = await Array.fromAsync(store.list(below));
  const kept = files.flatMap((file) => {
    const [, name, language = null] = keptName.exec(basename(file.key)) ?? [];
    const kind = Object.values(kinds).find((one) => one === name);
    return kind ? [{ ...file, kind, language }] : [];
  });
  return kept.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The one among these that holds the same as a file of this machine; null where none does. */
export async function findSame<T extends StoredFile>(store: FileStore, among: readonly T[], path: string): Promise<T | null> {
  const [{ size }, hash] = [await stat(path), await sha256OfFile(path)];
  for (const file of among) {
    const there = file.sizeBytes === size ? await store.openRange(file.key) : null;
    if (there && (await sha256OfStored(there)) === hash) return file;
  }
  return null;
}
