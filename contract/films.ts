import { z } from 'zod';
import { Line } from './corrections.ts';
import { limits, serverLimits } from './limits.ts';
import { afterInput, pageInput } from './paging-input.ts';
import { VideoState } from './video-service/answers.ts';

/** What whoever may watch a film reads of it beside its title; null where nothing is known. */
export const FilmFacts = z.object({
  description: z.string().nullable(),
  /** A year, a month or a day, as it is kept. */
  recordedAt: z.string().nullable(),
  place: z.string().nullable(),
  /** A code, as `pt-BR`. */
  language: z.string(),
  rights: z.string().nullable(),
});
export type FilmFacts = z.infer<typeof FilmFacts>;

const filmName = z.string().max(4 * limits.videoNameMaxCodePoints);

/** Which film is deleted, by the title that the editor saw, and why; often without a word. */
export const DeleteFilmInput = z.strictObject({
  id: z.string(),
  name: filmName,
  reason: z
    .string()
    .trim()
    .refine(
      (text) => [...text].length <= limits.deletionReasonMaxCodePoints,
      `must have at most ${limits.deletionReasonMaxCodePoints} characters`,
    ),
  /** Only as long as nobody can watch it yet. */
  isUnderWay: z.literal(true).optional(),
});

/** Which film is erased for good, by its title as the administrator gave it. */
export const EraseFilmInput = z.strictObject({ id: z.string(), name: filmName });

/** A film that can still be brought back. */
export const DeletedFilm = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty where none was given. */
  reason: z.string(),
  /** Name of who deleted it; empty for somebody who is gone. */
  deletedBy: z.string(),
  deletedAt: z.iso.datetime(),
  /** Until it is erased; 0 in the last hours. */
  daysLeft: z.number().int(),
});
export type DeletedFilm = z.infer<typeof DeletedFilm>;

/** Who sees a film: everybody whom the archive lets in, whoever may watch, or those alone who work in it. */
export const FilmVisibility = z.object({
  shownTo: z.enum(['everybody', 'viewers', 'editors']),
  /** From when on everybody sees it; null for no such time. */
  until: z.iso.datetime().nullable(),
  /** Why; often empty. */
  reason: z.string(),
  /** Name of who said so; empty for somebody who is gone, and where nobody did. */
  setBy: z.string(),
  /** Null where nobody said so. */
  setAt: z.iso.datetime().nullable(),
});
export type FilmVisibility = z.infer<typeof FilmVisibility>;

/** Who shall see a film; `seenAt` is when that was said which the editor saw, null for nothing. */
export const SetVisibilityInput = z.strictObject({
  id: z.string(),
  ...FilmVisibility.pick({ shownTo: true, until: true }).shape,
  reason: DeleteFilmInput.shape.reason,
  seenAt: FilmVisibility.shape.setAt,
});

/** A film that not everybody sees at this moment. */
const FilmKeptBack = z.object({ id: z.string(), name: z.string(), ...FilmVisibility.shape });
export type FilmKeptBack = z.infer<typeof FilmKeptBack>;

/** Which piece of the films that not everybody sees, or that are deleted. */
export const ListWithheldInput = z.object({ after: afterInput });

/** A hundred at most, the latest first; `total` is how many there are, `next` where the next piece begins, null at the end. */
export const FilmsKeptBack = z.object({ films: z.array(FilmKeptBack), total: z.number().int(), next: z.string().nullable() });
export type FilmsKeptBack = z.infer<typeof FilmsKeptBack>;

/** The same of those that are deleted. */
export const DeletedFilms = z.object({ films: z.array(DeletedFilm), total: z.number().int(), next: z.string().nullable() });
export type DeletedFilms = z.infer<typeof DeletedFilms>;

/**
 * How it stands with what is said in a film: nothing is, it came with the film, a machine heard it and nobody has looked, somebody has begun to,
 * a machine was not sure of some of it, somebody has looked at all of it. A film may be doubtful and another of these.
 */
export const CaptionState = z.enum(['none', 'given', 'unchecked', 'started', 'doubtful', 'verified']);
export type CaptionState = z.infer<typeof CaptionState>;

export const ListFilmsInput = z.object({
  captions: CaptionState.optional(),
  /** In its title, file name or ids. */
  text: z.string().max(serverLimits.deskTextMaxCharacters).default(''),
  ...pageInput,
});

/** A film as editors choose it. */
const FilmOnDesk = z.object({
  id: z.string(),
  name: z.string(),
  externalId: z.string().nullable(),
  state: VideoState,
  durationInSeconds: z.number(),
  createdAt: z.iso.datetime(),
  /** Lines that are said, heard by a machine, looked at by somebody, and doubtful. */
  lines: z.number().int(),
  heard: z.number().int(),
  looked: z.number().int(),
  doubtful: z.number().int(),
  visibility: FilmVisibility,
});
export type FilmOnDesk = z.infer<typeof FilmOnDesk>;

/** The newest first; `counts` says how many films with that text there are in each state. */
export const FilmsOnDesk = z.object({
  films: z.array(FilmOnDesk),
  total: z.number().int(),
  counts: z.record(CaptionState, z.number().int()),
});
export type FilmsOnDesk = z.infer<typeof FilmsOnDesk>;

/** Words to be found in what is said, behind the film that the last answer ended with. */
export const FindLinesInput = z.object({
  find: z.string().min(1).max(serverLimits.deskTextMaxCharacters),
  after: z
    .string()
    .regex(/^[0-9a-f]{0,10}$/)
    .default(''),
});

/** Films that say them, with the lines; `next` is null once all have been looked through. */
export const FoundLines = z.object({
  films: z.array(z.object({ id: z.string(), name: z.string(), lines: z.array(Line) })),
  looked: z.number().int(),
  next: z.string().nullable(),
});
export type FoundLines = z.infer<typeof FoundLines>;

/** By what a page tells that somebody changed a film: `revision` is another one then, or `keptBackAt`. */
export const FilmRevision = z.object({
  revision: z.number().int(),
  name: z.string(),
  /** When it was said that not everybody sees it; null where everybody does at this moment. */
  keptBackAt: z.iso.datetime().nullable(),
  /** The last change that counts or was taken back, and by whom: empty for somebody who is gone. Null where nobody changed anything. */
  last: z
    .object({ correction: z.number().int(), at: z.iso.datetime(), by: z.string(), isOwn: z.boolean(), isUndone: z.boolean() })
    .nullable(),
});
export type FilmRevision = z.infer<typeof FilmRevision>;

/** The second that is to stand for a film, in milliseconds. */
export const ChoosePosterInput = z.strictObject({ id: z.string(), atMs: z.number().int().min(0).max(limits.skipMax) });

/** A file that tells of films that were worked on elsewhere, as it is, in Base64: what its bytes mean is looked into where it is read. */
export const ExistingWorkInput = z.strictObject({
  name: z.string().min(1).max(serverLimits.workFileNameMaxCharacters),
  file: z.base64().max(Math.ceil((limits.existingWorkMaxBytes * 4) / 3) + 4),
});

/** The first of them, and how many there are. */
const Names = z.object({ names: z.array(z.string()), count: z.number().int() });

const FilmBeside = z.object({ id: z.string(), name: z.string() });
export type FilmBeside = z.infer<typeof FilmBeside>;

/** What a file would bring in. */
export const ExistingWorkPreview = z.object({
  films: z.array(
    z.object({
      title: z.string(),
      language: z.string(),
      durationInSeconds: z.number(),
      /** Lines that are spoken, and that stand in the picture. */
      lines: z.number().int(),
      writtenLines: z.number().int(),
      people: Names,
      labels: Names,
      brands: Names,
      /** The film of the archive that it would not be added beside. */
      known: z.object({ id: z.string(), name: z.string(), isDeleted: z.boolean() }).nullable(),
    }),
  ),
  /** A film whose file is here, and that this one may be sent to lie beside, by its name. */
  beside: FilmBeside.nullable(),
  /** What could not be read, a sentence each, the first of them. */
  left: z.array(z.string()),
  leftCount: z.number().int(),
});
export type ExistingWorkPreview = z.infer<typeof ExistingWorkPreview>;
export type FilmToTake = ExistingWorkPreview['films'][number];

export const ExistingWorkTaken = z.object({
  added: z.array(z.object({ id: z.string(), name: z.string() })),
  /** How many the archive had already. */
  known: z.number().int(),
});
export type ExistingWorkTaken = z.infer<typeof ExistingWorkTaken>;
