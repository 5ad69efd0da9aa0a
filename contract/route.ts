/**
 * Who may call: `guest` anyone; `signed-in` any session; `view`, `edit`, `admin` a session with that permission; `account-token`
 * search and posters; `records-token` an account token with admin fields, or that of an editor's script; `video-token` a token of that one video;
 * `account-or-video-token` either, and the route decides what each may see; `media-cookie` the stream's cookie or token; `key` the key of an
 * editor's script; `edit-token` an account token that one was changed for; `video-or-edit-token` that, or the token of that one video; `operator` a program on
 * the archive's machine, or with the operator's token.
 */
type Need =
  | 'guest'
  | 'signed-in'
  | 'view'
  | 'edit'
  | 'admin'
  | 'account-token'
  | 'records-token'
  | 'video-token'
  | 'account-or-video-token'
  | 'media-cookie'
  | 'key'
  | 'edit-token'
  | 'video-or-edit-token'
  | 'operator';

/**
 * Whom a route belongs to, since each may be at another address. The `video-service` speaks of errors in its own shape,
 * `{ErrorType, Message}`; the `site` and the `functions` that hand out access tokens as problem details; the `sign-in` to people, as pages.
 */
type Surface = 'site' | 'functions' | 'sign-in' | 'video-service';

/** The buckets of a visitor; every call takes its price from one of them. */
export type Bucket = 'search' | 'thumbnails' | 'tokens';

/**
 * Why a route takes from no bucket: `small` is the same for everybody, or nearly so, and made in no time; `own` changes or tells of
 * one's own session; `staff` is for those who work in the archive, whose tables fetch hundreds of pages in a row; `playing` is a film,
 * hundreds of small requests; `watchdog` is asked by machines that look whether the server lives.
 */
interface NoBucket {
  readonly none: 'small' | 'own' | 'staff' | 'playing' | 'watchdog';
}

/** What a call costs: 1 where nothing is said; `search` and `count` are charged by what the search takes. */
export type Price = number | 'search' | 'count';

/** What an answer holds, and who may be let in to it. */
interface NeedOf {
  /** No data of anybody. */
  readonly nothing: Need;
  /** What every visitor sees of a video. */
  readonly titles: Need;
  /** That, and as much of what is said, written and seen as the reader may read. */
  readonly matches: Need;
  /** All of one film. */
  readonly film: 'video-token' | 'video-or-edit-token' | 'media-cookie';
  /** Videos in every state, as the archive knows them for itself. */
  readonly records: 'edit' | 'edit-token' | 'admin' | 'records-token';
  /** Who asks. */
  readonly self: 'guest' | 'signed-in' | 'view' | 'edit' | 'key';
  /** Who is named; the route decides who may name whom. */
  readonly person: 'signed-in';
  readonly people: 'admin';
  /** What visitors looked for. */
  readonly searches: 'edit';
  readonly work: 'edit';
  /** All of one film, and what people changed of it. */
  readonly footage: 'edit';
  /** How the archive is kept. */
  readonly health: 'admin' | 'operator';
}

interface Address {
  /** HEAD where it is answered otherwise than GET without a body. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** Path with `:name` parameters. */
  readonly path: string;
  /** How large a body may be; as large as everywhere where nothing is said. */
  readonly bodyMaxBytes?: number;
  /** Its body is a whole file, which may take hours to come; every other request has come within a minute. */
  readonly carriesFile?: true;
  /** The site's where nothing is said. */
  readonly surface?: Surface;
}
type Rated = { readonly rate: Bucket; readonly price?: Price } | { readonly rate: NoBucket };
type Guarded = { [R in keyof NeedOf]: { readonly reads: R; readonly need: NeedOf[R] } }[keyof NeedOf];

/** One row: without a rate, without what it reads, or with a need that is too weak for that, it does not compile. */
export type Route = Address & Rated & Guarded;
