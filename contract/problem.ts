import { z } from 'zod';

/** What can go wrong in words that a caller can act on: code -> HTTP status. */
const problemStatus = {
  invalid_parameter: 400,
  invalid_encoding: 400,
  query_too_long: 400,
  file_empty: 400,
  invalid_email: 400,
  unauthenticated: 401,
  token_expired: 401,
  forbidden: 403,
  self_change: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_too_slow: 408,
  conflict: 409,
  already_exists: 409,
  last_admin: 409,
  version_mismatch: 412,
  file_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unreadable_media: 422,
  dimensions_too_large: 422,
  too_long: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  index_not_ready: 503,
  storage_full: 507,
} as const;

export type ProblemCode = keyof typeof problemStatus;

/** The body of every error of our own routes (RFC 9457, `application/problem+json`). */
export const ProblemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  /** What of the request it is about, by its name there; left out where it is about all of it. */
  parameter: z.string().optional(),
  instance: z.string(),
});
export type ProblemBody = z.infer<typeof ProblemBody>;

/** Thrown for what a caller can act on; anything else that is thrown is a bug and answers 500 without detail. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly retryAfterSeconds: number | undefined;
  readonly parameter: string | undefined;
  constructor(code: ProblemCode, message: string, options: { retryAfterSeconds?: number; parameter?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.parameter = options.parameter;
  }
  get status(): number {
    return problemStatus[this.code];
  }
}
