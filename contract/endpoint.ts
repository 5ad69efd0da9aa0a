import type { z } from 'zod';

/**
 * Who may call: `guest` anyone; `signed-in` any session; `view`, `edit`, `admin` a session with that permission;
 * `account-token` search and posters; `admin-token` an account token with admin fields; `video-token` a token of that one video.
 */
export type Need = 'guest' | 'signed-in' | 'view' | 'edit' | 'admin' | 'account-token' | 'admin-token' | 'video-token';

/** Which error body the surface speaks: ours (problem details) or the video service's `{ErrorType, Message}`. */
export type Surface = 'ours' | 'video-service';

export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters; parameters, query and body are merged into one input, so a name stands in one place only. */
  readonly path: string;
  readonly need: Need;
  readonly surface: Surface;
  readonly input: I;
  readonly output: O;
}

export type Input<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never;
export type ParsedInput<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never;
export type Output<E> = E extends Endpoint<z.ZodType, infer O> ? z.output<O> : never;

/** Writes one row of the endpoint table, keeping its types. */
export function endpoint<I extends z.ZodType, O extends z.ZodType>(row: Endpoint<I, O>): Endpoint<I, O> {
  return row;
}
