import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { sharedEnvironment } from '#domain/archive/environment.ts';
import type { BackupPlace } from '#domain/backup/open-backup-folder.ts';
import { readBackupS3Settings, readS3Settings, type S3Settings } from '#domain/files/s3/s3-settings.ts';
import type { OriginalsQuota } from '#domain/footage/originals-quota.ts';
import { EncoderLanguages, type EncoderSettings } from '#domain/meaning/encoder/choose-encoder.ts';
import { type LogLevel, logLevels } from '#domain/system/log.ts';
import type { SpeechSettings } from './speech/speech-settings.ts';
import type { StepClass } from './step.ts';

const Environment = z.object({
  ...sharedEnvironment,
  RUSHES_PUBLIC_URL: z.string().optional(),
  RUSHES_WATCH: z
    .string()
    .refine((path) => path === '' || isAbsolute(path), 'must be the whole path of a folder, from /')
    .default(''),
  RUSHES_INGEST_CPU_PERCENT: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .default('100'),
  RUSHES_WHISPER_MODEL: z.string().optional(),
  RUSHES_SPEECH_KEY: z.string().optional(),
  RUSHES_SPEECH_MODEL: z.string().default('whisper-1'),
  RUSHES_MEANING_MODEL: z.string().optional(),
  RUSHES_MEANING_LANGUAGES: EncoderLanguages,
  FFMPEG_PATH: z.string().optional(),
  PATH: z.string().default(''),
});

/** What the worker and the import command read from the environment. */
export interface IngestConfig {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** Past a pooler; none: DATABASE_URL leads there. */
  readonly databaseDirectUrl: string | undefined;
  /** The store of media; none: they lie in the data folder. */
  readonly s3: S3Settings | undefined;
  readonly allowsFuse: boolean;
  readonly migratesWithoutBackup: boolean;
  /** The folder whose films the worker takes in. */
  readonly watchedFolder: string | undefined;
  /** What this machine does with films: make them play, understand them, or both. */
  readonly classes: readonly StepClass[];
  /** Whether a first start brings the sample films in: into a database that others share only where somebody asks for them. */
  readonly wantsSamples: boolean;
  /** Refuse to read footage when a tool could reach the network. */
  readonly strict: boolean;
  /** The share of the processors that tools may take, 0 to 1. */
  readonly processorShare: number;
  readonly reserveBytes: number;
  /** What all originals may come to; none: nothing bounds them. */
  readonly quota: OriginalsQuota;
  readonly speech: SpeechSettings;
  readonly encoder: EncoderSettings;
  readonly ffmpegPath: string | undefined;
  readonly searchPath: string;
}

/** Settings that cannot be used: one line for each of them. */
export class IngestConfigFault extends Error {}

/** A setting that names what is not there yet, as a share that is about to be mounted. */
export class NotThereYet extends IngestConfigFault {}

/** Reads the settings; throws an IngestConfigFault that lists everything wrong with them. */
export function readIngestConfig(environment: Record<string, string | undefined> = process.env): IngestConfig {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success)
    throw new IngestConfigFault(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`).join('\n'));
  const env = parsed.data;
  const { s3, faults } = readS3Settings(env);
  if (faults.length > 0) throw new IngestConfigFault(faults.join('\n'));
  return {
    dataFolder: resolve(env.RUSHES_DATA),
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    s3,
    allowsFuse: env.RUSHES_ALLOW_FUSE,
    migratesWithoutBackup: env.RUSHES_MIGRATE_WITHOUT_BACKUP,
    watchedFolder: env.RUSHES_WATCH || undefined,
    classes: env.RUSHES_INGEST === 'both' ? ['playable', 'understood'] : [env.RUSHES_INGEST],
    wantsSamples: env.RUSHES_PUBLIC_URL === undefined && (env.RUSHES_SAMPLES ?? !env.DATABASE_URL),
    strict: env.RUSHES_STRICT_INGEST,
    processorShare: Number(env.RUSHES_INGEST_CPU_PERCENT) / 100,
    reserveBytes: env.RUSHES_DISK_RESERVE_MB * 1_000_000,
    quota: { archiveMaxBytes: (env.RUSHES_STORE_MAX_GB ?? 0) * 1e9 || undefined },
    speech: readSpeechSettings(env),
    encoder: { model: env.RUSHES_MEANING_MODEL ? resolve(env.RUSHES_MEANING_MODEL) : undefined, languages: env.RUSHES_MEANING_LANGUAGES },
    ffmpegPath: env.FFMPEG_PATH || undefined,
    searchPath: env.PATH,
  };
}

const transcriptions = '/audio/transcriptions';

function readSpeechSettings(env: z.infer<typeof Environment>): SpeechSettings {
  const url = env.RUSHES_SPEECH_URL?.replace(/\/+$/, '');
  const service = url && {
    url: url.endsWith(transcriptions) ? url : `${url}${transcriptions}`,
    key: env.RUSHES_SPEECH_KEY || undefined,
    model: env.RUSHES_SPEECH_MODEL,
  };
  return {
    whisperModel: env.RUSHES_WHISPER_MODEL ? resolve(env.RUSHES_WHISPER_MODEL) : undefined,
    service: service || undefined,
    modelHub: env.RUSHES_MODEL_HUB.replace(/\/+$/, ''),
    allowsRough: env.RUSHES_ROUGH_SPEECH,
    searchPath: env.PATH,
  };
}

/**
 * Where backups lie by a name from a command line: a folder, or below `s3://bucket/prefix` a place of the server that the settings name.
 * Throws an IngestConfigFault that says what is wrong.
 */
export function readBackupPlace(name: string, environment: Record<string, string | undefined> = process.env): BackupPlace {
  if (!name.startsWith('s3://')) return name;
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(name) ?? [];
  if (prefix !== '' && !prefix.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))
    throw new IngestConfigFault(`${name}: write it as s3://bucket/prefix, of letters, digits, dots, hyphens and slashes.`);
  const { s3, faults } = readBackupS3Settings(environment, bucket);
  if (!s3)
    throw new IngestConfigFault(
      faults[0] ??
        `${name}: its server is not named. Set RUSHES_BACKUP_S3_ENDPOINT, RUSHES_BACKUP_S3_ACCESS_KEY and RUSHES_BACKUP_S3_SECRET_KEY; what is not set is taken from RUSHES_S3_….`,
    );
  const { dataFolder, s3: media } = readIngestConfig(environment);
  if (media && media.bucket === s3.bucket && media.endpoint === s3.endpoint)
    throw new IngestConfigFault(`${name} is in the same bucket as the media, so both could be lost together. Use another bucket.`);
  return { s3, prefix, incoming: join(dataFolder, 'backup-incoming') };
}

/** From which level on this process logs; a value that means nothing is told by the server. */
export function readLogLevel(environment: Record<string, string | undefined> = process.env): LogLevel {
  return logLevels.find((level) => level === environment.RUSHES_LOG) ?? 'warn';
}

/** What a child of this process runs with: all that this one does, and `more`. */
export function environmentWith(
  more: Record<string, string | undefined>,
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  return { ...environment, ...more };
}
