import { z } from 'zod';
import { limits, serverLimits } from './limits.ts';

/** What editors change of what is known of a film as a whole. */
export const FilmFactsAsEdited = z.object({
  title: z.string(),
  description: z.string(),
  externalId: z.string(),
  recordedAt: z.string(),
  place: z.string(),
  language: z.string(),
  rights: z.string(),
});
/** Each as it is now, empty where nothing is known. */
export type FilmFactsAsEdited = z.infer<typeof FilmFactsAsEdited>;
export const FactName = FilmFactsAsEdited.keyof();
export type FactName = z.infer<typeof FactName>;

/** Whom and what a film as a whole names. */
export const NamesOfFilm = z.object({ people: z.array(z.string()), labels: z.array(z.string()), brands: z.array(z.string()) });
export type NamesOfFilm = z.infer<typeof NamesOfFilm>;
const NameKind = NamesOfFilm.keyof();
export type NameKind = z.infer<typeof NameKind>;

/** What somebody changed of what is known of a film. */
export const CorrectionEntry = z.object({
  id: z.number().int(),
  kind: z.enum(['Title', 'Fact', 'Name', 'Poster', 'Person', 'Transcript', 'Ocr']),
  /** Of the film as a whole; null for what stands at a time in it. */
  fact: FactName.nullable(),
  /** What it names of the film as a whole; null for anything else. */
  names: NameKind.nullable(),
  /** Where in the film, in milliseconds; null for what is true of it as a whole. */
  startMs: z.number().int().nullable(),
  /** What it said before. */
  replaces: z.string(),
  /** What it says instead; null where somebody confirmed it as it is. */
  says: z.string().nullable(),
  /** `unfitting`: what it was made for is no longer there, since a step read the film anew. */
  state: z.enum(['standing', 'unfitting', 'undone']),
  /** How many were made with it, and are taken back with it; they are listed as one. */
  together: z.number().int(),
  /** Names of people; empty for somebody who is gone. */
  by: z.string(),
  at: z.iso.datetime(),
  undoneBy: z.string().nullable(),
  undoneAt: z.iso.datetime().nullable(),
});
export type CorrectionEntry = z.infer<typeof CorrectionEntry>;

/** What is known of the film now, with whom it names but for those whose face is known, and what people changed of it, newest first. */
export const CorrectionList = z.object({ facts: FilmFactsAsEdited, names: NamesOfFilm, corrections: z.array(CorrectionEntry) });

const factMaxCharacters = 4 * limits.factMaxCodePoints.description;

/** What is known of a film from now on; `replaces` is what the editor saw. Both are empty where nothing is known. */
export const CorrectFactInput = z.strictObject({
  id: z.string(),
  fact: FactName,
  replaces: z.string().max(factMaxCharacters),
  says: z.string().max(factMaxCharacters),
});

const nameMaxCharacters = 4 * limits.personNameMaxCodePoints;

/** A person, label or brand of the film from now on, by what the editor saw: empty `replaces` adds, empty `says` takes out. */
export const CorrectNameInput = z.strictObject({
  id: z.string(),
  kind: NameKind,
  replaces: z.string().max(nameMaxCharacters),
  says: z.string().max(nameMaxCharacters),
});

export const UndoCorrectionInput = z.strictObject({ id: z.string(), correction: z.coerce.number().int().min(1) });

/** What the film is called after a change. */
export const NameOfVideo = z.object({ name: z.string() });

/** A line of what is said. Times in milliseconds; nobody is known to speak where `speaker` is null. */
export const Line = z.strictObject({
  startMs: z.number().int().min(0).max(serverLimits.lineTimeMaxMs),
  endMs: z.number().int().min(0).max(serverLimits.lineTimeMaxMs),
  text: z.string().max(4 * limits.lineMaxCodePoints),
  speaker: z
    .string()
    .max(4 * limits.speakerMaxCodePoints)
    .nullable(),
});
export type Line = z.infer<typeof Line>;

/** What is said in a film, in order of time, with what people made of each line. */
export const LineList = z.object({
  lines: z.array(
    z.object({
      ...Line.shape,
      confidencePercent: z.number().int(),
      review: z.enum(['corrected', 'verified']).nullable(),
      /** A machine was not sure of it, and nobody has looked at it. */
      isDoubtful: z.boolean(),
      /** The correction by which it says this; null where nobody changed or confirmed it. */
      correction: z.number().int().nullable(),
      /** How many corrections are taken back with that one. */
      together: z.number().int(),
      /** What it said before it was corrected. */
      replaces: z.string().nullable(),
    }),
  ),
});
export type LineEntry = z.infer<typeof LineList>['lines'][number];

/** What is there after a change, and by which correction it is taken back, with all of the same press; null where it said nothing new. */
const correction = z.number().int().nullable();
export const CorrectedFacts = z.object({ ...FilmFactsAsEdited.shape, correction });
export type CorrectedFacts = z.infer<typeof CorrectedFacts>;
export const CorrectedNames = z.object({ ...NamesOfFilm.shape, correction });
export type CorrectedNames = z.infer<typeof CorrectedNames>;
export const CorrectedLines = z.object({ ...LineList.shape, correction });

/**
 * Lines that stand in the place of those that the editor saw, one behind the other: the same where they are right, none where nothing is said. Where
 * `replaces` is empty they are added.
 */
const LinesChange = z.strictObject({
  replaces: z.array(Line).max(limits.linesPerChangeMax),
  lines: z.array(Line).max(limits.linesPerChangeMax),
});
export type LinesChange = z.infer<typeof LinesChange>;

/** All of them or none; together they are taken back. */
export const CorrectLinesInput = z.strictObject({
  id: z.string(),
  changes: z.array(LinesChange).min(1).max(limits.changesAtOnceMax),
});

/** What tells which film a row of a table is about. */
const FilmMark = z.enum(['externalId', 'title', 'fileName', 'id']);
export type FilmMark = z.infer<typeof FilmMark>;

/** A row of a table of details: the film's mark, and what is to be known of it; what is not told stays as it is. */
const DetailsRow = z.strictObject({
  mark: z.string().max(serverLimits.detailsMarkMaxCharacters),
  says: z.partialRecord(FactName, z.string().max(factMaxCharacters)),
});
export type DetailsRow = z.infer<typeof DetailsRow>;

export const PreviewDetailsInput = z.strictObject({ by: FilmMark, rows: z.array(DetailsRow).max(limits.detailsRowsMax) });

/** What each row comes to, in the order of the rows. */
export const DetailsPreview = z.object({
  rows: z.array(
    z.object({
      video: z.object({ id: z.string(), name: z.string() }).nullable(),
      /** What is to be said of it instead of what is known now; none of what is known already. */
      changes: z.array(z.object({ fact: FactName, replaces: z.string(), says: z.string() })),
      /** Why the row, or a part of it, is left out, each in a sentence. */
      problems: z.array(z.string()),
    }),
  ),
});
export type DetailsPreviewRow = z.infer<typeof DetailsPreview>['rows'][number];

/** A subtitle file as it is, in Base64: what its bytes mean is looked into where it is read. */
export const ReplaceLinesInput = z.strictObject({
  id: z.string(),
  file: z.base64().max(Math.ceil((limits.transcriptFileMaxBytes * 4) / 3) + 4),
});

/** The lines that stand there now, and what of the file was left out. */
export const ReplacedLines = z.object({ ...LineList.shape, remarks: z.array(z.string()) });

/** The faces that were found in a film, first who is seen longest, and people whose face is not known. */
export const FaceList = z.object({
  faces: z.array(
    z.object({
      /** By what this face is named; another one once the film was looked at anew. */
      mark: z.string(),
      /** `Unknown 2` where nobody has named it. */
      name: z.string(),
      isNamed: z.boolean(),
      thumbnailId: z.string(),
      /** When it is first seen, in milliseconds. */
      startMs: z.number().int(),
      /** When each begins, in milliseconds. */
      appearancesMs: z.array(z.number().int()),
      /** Whose it may be, best first, for somebody to say: a machine names nobody. */
      proposals: z.array(
        z.object({
          name: z.string(),
          /** What it is proposed by: what is written or said while they are seen, or a face of another film, whose title is told, and how alike it is, in percent. */
          by: z.enum(['lower-third', 'speech', 'face']),
          title: z.string().nullable(),
          percent: z.number().int().nullable(),
          /** When in this film, in milliseconds. */
          startMs: z.number().int().nullable(),
        }),
      ),
    }),
  ),
  /** Whom the film names beside them. */
  others: z.array(z.string()),
});
export type FaceEntry = z.infer<typeof FaceList>['faces'][number];

/**
 * Whose face it is, empty for somebody else whom nobody has named; `replaces` is what it was called when the editor saw it. Where appearances are told,
 * by when they begin, it is said of them alone.
 */
export const NamePersonInput = z.strictObject({
  id: z.string(),
  mark: z.string(),
  replaces: z.string().max(4 * limits.personNameMaxCodePoints),
  name: z.string().max(4 * limits.personNameMaxCodePoints),
  appearances: z.array(z.number().int()).min(1).max(limits.appearancesAtOnceMax).optional(),
});

/** Two faces without a name that are of one person, each by what it was called when the editor saw it. */
export const MergeFacesInput = z.strictObject({
  id: z.string(),
  mark: z.string(),
  replaces: z.string().max(4 * limits.personNameMaxCodePoints),
  otherMark: z.string(),
  otherReplaces: z.string().max(4 * limits.personNameMaxCodePoints),
});

/** By which it is taken back. */
export const MergedFaces = z.object({ correction: z.number().int() });

export const NameOfPerson = z.object({ name: z.string() });

/** Who shall be forgotten, by the name that the administrator saw; `everywhere`: all of that name in every film. */
export const ForgetPersonInput = z.strictObject({
  id: z.string(),
  mark: z.string(),
  name: z.string().max(4 * limits.personNameMaxCodePoints),
  everywhere: z.boolean(),
});

export const ForgetNameInput = ForgetPersonInput.omit({ mark: true });

/** In how many films their face was known, and folders of backups that could not be told: the next backup into them tells them. */
export const ForgottenPerson = z.object({ films: z.number().int(), untoldBackups: z.array(z.string()) });
export type ForgottenPerson = z.infer<typeof ForgottenPerson>;
