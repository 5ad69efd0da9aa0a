import type { z } from 'zod';
import type { Route } from './route.ts';

/** What goes in and what comes out as JSON. Parameters, query and body are merged into one input, so a name stands in one place only. */
export interface Schemas<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly input: I;
  readonly output: O;
}

/** A route with a typed answer. */
export type Endpoint = Route & Schemas;

export type Input<E> = E extends Schemas<infer I, z.ZodType> ? z.input<I> : never;
export type ParsedInput<E> = E extends Schemas<infer I, z.ZodType> ? z.output<I> : never;
export type Output<E> = E extends Schemas<z.ZodType, infer O> ? z.output<O> : never;
