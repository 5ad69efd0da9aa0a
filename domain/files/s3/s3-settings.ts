import { z } from 'zod';
import { sha256Of } from '../sha256.ts';

/** Where an S3-compatible store keeps an archive: one bucket, for this archive alone. */
export const S3Settings = z.object({
  endpoint: z.string(),
  bucket: z.string(),
  region: z.string(),
  accessKey: z.string(),
  secretKey: z.string(),
  /** The bucket stands in the path of an address, not in front of the host. */
  pathStyle: z.boolean(),
});
export type S3Settings = z.infer<typeof S3Settings>;

/** What one store is told from another by. */
export function fingerprintStore({ endpoint, bucket }: S3Settings): string {
  return sha256Of(`${endpoint} ${bucket}`).slice(0, 12);
}

/** The variables that name it. */
export const s3Environment = {
  RUSHES_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address, such as https://s3.example' }).optional(),
  RUSHES_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket: 3 to 63 small letters, digits, dots or hyphens')
    .optional(),
  RUSHES_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1'),
  RUSHES_S3_ACCESS_KEY: z.string().min(1).optional(),
  RUSHES_S3_SECRET_KEY: z.string().min(1).optional(),
  RUSHES_S3_PATH_STYLE: z.enum(['0', '1'], 'must be 0 or 1').default('1'),
};
type S3Environment = z.infer<z.ZodObject<typeof s3Environment>>;

const backupNames = ['ENDPOINT', 'REGION', 'ACCESS_KEY', 'SECRET_KEY', 'PATH_STYLE'] as const;

/**
 * The server of a bucket of backups: `RUSHES_BACKUP_S3_…`, each in the place of the one that names the store of media. None where a part of
 * it is missing; `faults` says what cannot be used.
 */
export function readBackupS3Settings(
  environment: Record<string, string | undefined>,
  bucket: string,
): { readonly s3: S3Settings | undefined; readonly faults: readonly string[] } {
  const named = backupNames.flatMap((name): [string, string][] => {
    const value = environment[`RUSHES_BACKUP_S3_${name}`] ?? environment[`RUSHES_S3_${name}`];
    return value === undefined ? [] : [[`RUSHES_S3_${name}`, value]];
  });
  const parsed = z.object(s3Environment).safeParse({ ...Object.fromEntries(named), RUSHES_S3_BUCKET: bucket });
  if (parsed.success) return { s3: readS3Settings(parsed.data).s3, faults: [] };
  const nameOf = (path: string) => (path === 'RUSHES_S3_BUCKET' ? `s3://${bucket}` : path.replace('RUSHES_', 'RUSHES_BACKUP_'));
  return { s3: undefined, faults: parsed.error.issues.map((issue) => `${nameOf(String(issue.path[0]))} ${issue.message}`) };
}

const needed = ['RUSHES_S3_ENDPOINT', 'RUSHES_S3_BUCKET', 'RUSHES_S3_ACCESS_KEY', 'RUSHES_S3_SECRET_KEY'] as const;

/** The store that the environment names; none where it names none. `faults` says what is missing of half a name. */
export function readS3Settings(env: S3Environment): { readonly s3: S3Settings | undefined; readonly faults: readonly string[] } {
  const missing = needed.filter((name) => !env[name]);
  const [endpoint, bucket, accessKey, secretKey] = needed.map((name) => env[name] ?? '');
  if (missing.length === needed.length) return { s3: undefined, faults: [] };
  if (missing.length > 0 || !endpoint || !bucket || !accessKey || !secretKey)
    return { s3: undefined, faults: missing.map((name) => `${name} is missing: a store needs all of ${needed.join(', ')}`) };
  const s3 = { endpoint, bucket, region: env.RUSHES_S3_REGION, accessKey, secretKey, pathStyle: env.RUSHES_S3_PATH_STYLE === '1' };
  return { s3, faults: [] };
}
