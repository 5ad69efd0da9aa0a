import { Problem, type ProblemCode } from '#contract/problem.ts';
import type { VideoServiceError } from '#contract/video-service/answers.ts';

/** A problem of the video service that has an error type of its own, where the code alone would not tell it. */
export class VideoServiceProblem extends Problem {
  readonly errorType: string;
  constructor(code: ProblemCode, errorType: string, message: string) {
    super(code, message);
    this.name = 'VideoServiceProblem';
    this.errorType = errorType;
  }
}

const errorTypes: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'ACCESS_TOKEN_VALIDATION_FAILED',
  token_expired: 'ACCESS_TOKEN_EXPIRED',
  forbidden: 'USER_NOT_ALLOWED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'UNSUPPORTED',
  already_exists: 'ALREADY_EXISTS',
  file_empty: 'INPUT_FILE_EMPTY',
  file_too_large: 'INPUT_FILE_SIZE_LIMIT_EXCEEDED',
  unavailable: 'SERVER_TIMEOUT',
  // The video service has none for this.
  index_not_ready: 'INDEX_NOT_READY',
};

/** The body of a refusal on the routes of the video service. */
export function presentProblem(problem: Problem, traceId: string): VideoServiceError {
  return { ErrorType: errorTypeOf(problem), Message: `${problem.message} Trace id: '${traceId}'.` };
}

function errorTypeOf(problem: Problem): string {
  if (problem instanceof VideoServiceProblem) return problem.errorType;
  return errorTypes[problem.code] ?? (problem.status === 400 ? 'INVALID_INPUT' : 'GENERAL');
}
