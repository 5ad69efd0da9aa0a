/*
 * The door for media: whoever reads or writes a file does it by its key. local-store and s3/ are the two kinds of store;
 * beside them lies what a file goes through: hashes, the frame pack, and the index on its way to other machines.
 */
import type { Readable } from 'node:stream';

/** A file of the archive. A key looks like a path, but only a store knows where its bytes lie. */
export interface StoredFile {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A stretch of a stored file, read when it is asked for, once, and then from one version of the file. */
export interface StoredRange {
  /** Of the whole file, as it was opened. */
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  bytes(): Promise<Buffer>;
  stream(): Readable;
}

/** From byte `start` up to, and without, byte `end`; what lies past the end of the file is left out. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What was taken away, why, and when. It stays in the trash until an operator purges it. */
export interface TrashEntry {
  readonly name: string;
  /** Where it lay. */
  readonly key: string;
  readonly reason: string;
  readonly at: Date;
  readonly sizeBytes: number;
}

/** What a store keeps: bytes, the local file of a path, which is moved away, or a copy of one that stays. */
type PutSource = Uint8Array | { readonly path: string } | { readonly copyOf: string };

/**
 * Where the media of an archive lie: originals, renditions, stills, captions, sidecars; its search index, on its way to other
 * machines; and parts of uploads, where machines share it. Keys are made by `toVideoKeys`, `toIndexKey` and `toPartKey`; one that is none throws. Whatever is put is safe from a power cut when the call returns. Every store is held to its promises by the same tests.
 */
export interface FileStore {
  /** Keeps this; what had the key before is replaced as a whole. A file that is moved in lies where it was until it has its place. */
  put(key: string, from: PutSource): Promise<void>;
  /** Moves a local folder in: it takes the place of everything below the key, which is one of media. */
  putFolder(key: string, from: { readonly path: string }): Promise<void>;
  /** A file, or a stretch of it; null when there is none. */
  openRange(key: string, range?: ByteRange): Promise<StoredRange | null>;
  /** Null when there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** Every file below a key, or of `media`, `index` or `parts` in all. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Ids of all videos that have files here, whoever knows of them. */
  listVideos(): Promise<string[]>;
  /** Takes a file of media, or everything below such a key, out of use and into the trash; null when there was nothing. */
  remove(key: string, reason: string): Promise<TrashEntry | null>;
  /** Deletes a file of media, or everything below such a key, for good and past the trash, of which `trash.purgeOf` is the other half. */
  erase(key: string): Promise<void>;
  /** Lays a copy of a file of media into the trash, before another one is put in its place; null when there is none. */
  copyToTrash(key: string, reason: string): Promise<TrashEntry | null>;
  /** Hands over a file of this machine that holds the same bytes, for tools that read nothing else. Nobody may change it. Throws when there is no such file. */
  withLocalCopy<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Deletes a file of the index, or a part of an upload, for good. Throws for a key of media. */
  discard(key: string): Promise<void>;
  /** Whether other machines read the same files: what is half-way sent belongs here as well then. */
  readonly isShared: boolean;
  /** The folder in which this store itself keeps the index, so that nobody here needs a copy; null where it is elsewhere. */
  readonly indexFolder: string | null;
  readonly trash: Trash;
}

export interface Trash {
  /** Oldest first; of one video alone where it is named. */
  list(videoId?: string): Promise<TrashEntry[]>;
  /** Puts it back where it lay. Throws when there is something again, which a file replaces where that `isOver` it, and when there is no such entry. */
  putBack(name: string, how?: { readonly isOver: boolean }): Promise<TrashEntry>;
  /** Deletes it for good. */
  purge(name: string): Promise<void>;
  /** Deletes for good all that was ever taken of a video, also what was cut off on its way here and is no entry. */
  purgeOf(videoId: string): Promise<void>;
  /** Deletes what was cut off on its way here, or on its way out, more than a day ago: it is no entry. */
  sweep(now?: number): Promise<void>;
}
