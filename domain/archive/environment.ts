import { z } from 'zod';
import { s3Environment } from '../files/s3/s3-settings.ts';

/** A variable that is 0 or 1. */
export const switchOn = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

/** A variable that is a whole number from 0 to `max`. */
export const wholeNumberUpTo = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`);

/** A variable that is the address of a server, or empty. */
export const base = z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http or https address' })]);

const modelHub = 'https://huggingface.co';

/**
 * The variables that both the server and the worker read; a name that is missing takes the default written here. What only the worker needs is
 * read by the server as well, so that a start with a wrong one says so at once.
 */
export const sharedEnvironment = {
  RUSHES_DATA: z.string().min(1, 'must name a folder').default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  /** Past a pooler that DATABASE_URL leads to: for what belongs to a session. */
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  /** The archive's own PostgreSQL may lie on a FUSE file system. */
  RUSHES_ALLOW_FUSE: switchOn.default(false),
  /** An older archive is brought up to this version without a fresh backup of it. */
  RUSHES_MIGRATE_WITHOUT_BACKUP: switchOn.default(false),
  RUSHES_SAMPLES: switchOn.optional(),
  RUSHES_STRICT_INGEST: switchOn.default(false),
  RUSHES_INGEST: z.enum(['playable', 'understood', 'both'], 'must be playable, understood or both').default('both'),
  RUSHES_ROUGH_SPEECH: switchOn.default(true),
  RUSHES_SPEECH_URL: base.optional(),
  RUSHES_MODEL_HUB: base.default('').transform((hub) => hub || modelHub),
  RUSHES_DISK_RESERVE_MB: wholeNumberUpTo(999_999_999).default(512),
  /** What the originals of all may come to. */
  RUSHES_STORE_MAX_GB: wholeNumberUpTo(999_999_999).optional(),
  ...s3Environment,
};
