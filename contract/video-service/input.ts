import { z } from 'zod';
import { limits } from '../limits.ts';
import { isMatchKind } from '../match-kinds.ts';
import { type ArrangingParameter, lengthFilters, searchOrders } from '../narrowing.ts';
import { afterInput, wholeNumberBetween } from '../paging-input.ts';

/** A repeated name arrives as a list, a single one as text. No stored text holds a NUL, and the database refuses to be asked for one. */
const texts = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]).map((text) => text.replaceAll('\u0000', ' ')));
const queryTexts = texts
  .refine((all) => all.every((text) => [...text].length <= limits.queryMaxCodePoints), {
    message: `must have at most ${limits.queryMaxCodePoints} characters`,
    params: { code: 'query_too_long' },
  })
  // Each of them is a search of its own; one request counts as one.
  .refine((all) => all.length <= limits.queryAlternativesMax, `may be given at most ${limits.queryAlternativesMax} times`);
/** A name that stands in an address twice comes as a list. */
const once = z.string('must be given once');
const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false'], 'must be true or false'))
  .default('false');
/** The names that the service had for languages before it took codes; `All` is every one. */
const namedLanguages = new Set(
  'all english spanish french german italian portuguese russian japanese chinese arabic hindi filipino'.split(' '),
);
const languages = texts.pipe(
  z.array(
    z.string().refine((text) => text === '' || namedLanguages.has(text.toLowerCase()) || /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,8}$/i.test(text), {
      error: ({ input }) => `must be a language such as English or en-US, which “${String(input).slice(0, 40)}” is not`,
    }),
  ),
);
/** Where the service looks for a query, in its own words. */
const textScopes = ['Transcript', 'Topics', 'Ocr', 'Annotations', 'Brands', 'NamedLocations', 'NamedPeople', 'Metadata'] as const;
export type TextScope = (typeof textScopes)[number];
/** In capitals or not; an empty one is none. */
const scopes = texts.transform((all, context) => {
  const named = all.map((text) => text.trim()).filter((text) => text !== '');
  const known = named.flatMap((text) => textScopes.find((scope) => scope.toLowerCase() === text.toLowerCase()) ?? []);
  if (known.length < named.length) context.addIssue({ code: 'custom', message: `must be one of ${textScopes.join(', ')}` });
  return known.length > 0 ? known : undefined;
});
const rfc3339 = z.iso.datetime({ offset: true });

/** What puts an answer in another order, or leaves some of it out. */
const arranging = {
  /** Ours: best match when missing. */
  sort: z.enum(searchOrders).optional(),
  /** Ours: only moments of these kinds, and only videos that have one. */
  matchKind: texts.pipe(z.array(z.string().refine(isMatchKind, 'must be a kind of match'))).optional(),
  /** Ours: only videos of this length. */
  length: z.enum(lengthFilters).optional(),
  /** Ours: only videos whose media can be played in this archive. */
  playable: z.literal('true').optional(),
  /** Ours: only videos with any of these people, any of these labels and any of these brands, by their full names. */
  person: texts.optional(),
  label: texts.optional(),
  brand: texts.optional(),
} satisfies Record<ArrangingParameter, z.ZodType>;

/** Input of `Videos/Search`: unknown parameters are ignored, bad ones are refused. */
export const SearchVideosInput = z.object({
  location: z.string(),
  account: z.string(),
  query: queryTexts.optional(),
  id: texts.optional(),
  externalId: texts.optional(),
  state: texts.optional(),
  privacy: texts.optional(),
  owner: texts.optional(),
  face: texts.optional(),
  /** Only films, and moments of them, in which the query is found there. */
  textScope: scopes.optional(),
  /** Of the text that is searched, which is that of each film: it changes nothing, and what is no language is refused. */
  language: languages.optional(),
  /** Part of the published call; there is no public account here, so it changes nothing. */
  searchInPublicAccount: texts.optional(),
  createdAfter: rfc3339.optional(),
  createdBefore: rfc3339.optional(),
  /** Ours: what the first page gave beside `createdBefore`. */
  createdBeforeSignature: z.string().optional(),
  ...arranging,
  /** More than the largest page is answered as the largest page. */
  pageSize: wholeNumberBetween({ min: 1, max: limits.skipMax }).optional(),
  skip: wholeNumberBetween({ min: 0, max: limits.skipMax }).optional(),
});
export type SearchVideosInput = z.output<typeof SearchVideosInput>;

export const ListVideosInput = SearchVideosInput.pick({
  location: true,
  account: true,
  createdAfter: true,
  createdBefore: true,
  createdBeforeSignature: true,
  pageSize: true,
  skip: true,
}).extend({
  /** Ours: what the page before gave; it goes before `skip`. */
  after: afterInput,
});

export const IdByExternalIdInput = z.object({
  location: z.string(),
  account: z.string(),
  externalId: z.string().transform((text) => text.replaceAll('\u0000', ' ')),
});

/** The older path has no location and account in it. */
export const PartnerSearchInput = SearchVideosInput.omit({ location: true, account: true }).extend({
  /** Ours: in place of a page of videos, so many titles, people, brands and moments each at most. Only beside one `query` alone. */
  perKind: wholeNumberBetween({ min: 1, max: limits.suggestionsPerKindMax }).optional(),
});

/** Input of `Matches`: one text, as the search takes it. */
export const FilmMatchesInput = z.object({
  location: z.string(),
  account: z.string(),
  id: z.string(),
  query: z
    .string()
    .transform((text) => text.replaceAll('\u0000', ' '))
    .refine((text) => [...text].length <= limits.queryMaxCodePoints, {
      message: `must have at most ${limits.queryMaxCodePoints} characters`,
      params: { code: 'query_too_long' },
    })
    .default(''),
});

/** Input of `LinesAround`: a moment by its kind and the milliseconds at which it stands. */
export const LinesAroundInput = z.object({
  location: z.string(),
  account: z.string(),
  id: z.string(),
  type: z.enum(['Transcript', 'Ocr']).default('Transcript'),
  atMs: wholeNumberBetween({ min: 0, max: limits.skipMax }).default(0),
});

export const VideoIndexInput = z.object({
  location: z.string(),
  account: z.string(),
  id: z.string(),
  language: z.string().optional(),
  includeStreamingUrls: z.string().optional(),
  /** The older summary beside the insights; the service advises against it, and so it is given only to those who ask. */
  includeSummarizedInsights: flag,
});

/** Input of the calls that change a key for a token. */
export const TokenByKeyInput = z.object({ location: z.string(), account: z.string(), allowEdit: flag });
export const VideoTokenByKeyInput = TokenByKeyInput.extend({ id: z.string() });

/** What is said of a film that a script sends, in the address; all else that the service takes there changes nothing here. */
export const UploadVideoInput = z.object({
  location: z.string(),
  account: z.string(),
  name: z.string('must be given, once: …/Videos?name=…'),
  description: once.default(''),
  externalId: once.default(''),
  /** A language such as `en-US`; `auto` and `multi` leave it to be found out. */
  language: once.default('auto'),
  /** What the file is called, where neither the form nor its address says a name of footage. */
  fileName: once.default(''),
  /** Refuses a film that the archive holds already. */
  preventDuplicates: flag,
  /** Both only at servers that the operator named. */
  videoUrl: once.optional(),
  callbackUrl: once.optional(),
});
export type UploadVideoInput = z.output<typeof UploadVideoInput>;

export const ChangeVideoInput = z.object({ location: z.string(), account: z.string(), id: z.string(), callbackUrl: once.optional() });
export const ReplaceTranscriptInput = ChangeVideoInput.extend({
  /** Of the lines that are sent, such as `en-US`; that of the film where it is not told. */
  language: once.default(''),
  /** Whether the film is in that language from now on. */
  setAsSourceLanguage: flag,
});
export const RenameFaceInput = ChangeVideoInput.extend({
  face: z.string(),
  newName: once.refine((name) => name.trim() !== '', 'must not be empty'),
});

/** A JSON Patch (RFC 6902) of an index document. */
export const IndexPatch = z
  .array(z.object({ op: z.string(), path: z.string(), value: z.unknown() }))
  .min(1)
  .max(limits.changesAtOnceMax);
export type IndexPatch = z.output<typeof IndexPatch>;

/** A video, by its id. */
export const VideoById = z.object({ id: z.string() });
