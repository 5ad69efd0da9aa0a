import { z } from 'zod';
import { BackupState } from './archive.ts';
import { Engine, StepOfVideo } from './steps.ts';

const instant = z.iso.datetime();

/** What a process tells of itself. */
export const ProcessFacts = z.object({
  /** Its data folder. */
  folder: z.string(),
  memoryBytes: z.number(),
  /** Of the disk under its data folder; null where that cannot be read. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
  /** The batch of the index that its searches read; null for one that does not search. */
  indexBatch: z.number().int().nullable(),
  /** How far its clock is before the database's. */
  clockAheadMs: z.number().int(),
  /** What it works with: the tools that read footage, and what these are kept from. */
  notes: z.array(z.string()),
  /** Of a worker: what it does with films. One that says nothing of it, as those of older versions, does both. */
  classes: z.array(StepOfVideo.shape.class).optional(),
});
export type ProcessFacts = z.infer<typeof ProcessFacts>;

/** A process of the archive, by what it said last. */
export const ArchiveProcess = ProcessFacts.extend({
  id: z.string(),
  machine: z.string(),
  pid: z.number().int(),
  /** Answers pages, or works on films. */
  does: z.enum(['web', 'ingest']),
  version: z.string(),
  startedAt: instant,
  seenAt: instant,
  /** False for one that has said nothing for too long, and did not say that it would end. */
  isAlive: z.boolean(),
});
export type ArchiveProcess = z.infer<typeof ArchiveProcess>;

/** Films that wait for one kind of work. */
export const WorkQueue = z.object({
  name: z.enum(['playable', 'understood', 'index']),
  waiting: z.number().int(),
  working: z.number().int(),
  /** Since when the one waits that has waited longest and could be begun; null where none does. */
  oldestAt: instant.nullable(),
});
export type WorkQueue = z.infer<typeof WorkQueue>;

export const DatabaseStanding = z.object({
  version: z.string(),
  /** A standby takes no changes. */
  role: z.enum(['primary', 'standby']),
  sizeBytes: z.number(),
  connections: z.number().int(),
  connectionsMax: z.number().int(),
  /** How far a standby is behind; null for a primary, and where it is not behind. */
  lagSeconds: z.number().nullable(),
  /** Who follows it, as far as its role may see that. */
  standbys: z.array(z.object({ name: z.string(), state: z.string(), lagSeconds: z.number().nullable() })),
});
export type DatabaseStanding = z.infer<typeof DatabaseStanding>;

export const IndexStanding = z.object({
  /** Its version; 0 before the first. */
  batch: z.number().int(),
  /** `building` where there is none to read yet, or it is made anew. */
  is: z.enum(['ready', 'building']),
  builtPercent: z.number().int().nullable(),
  films: z.number().int(),
});
export type IndexStanding = z.infer<typeof IndexStanding>;

/** What stands outside of the archive and may run out: looked at once an hour, and what is at fault sooner, the less the longer it is so. */
export const OutsideLook = z.object({
  at: instant,
  /** Certificates of the archive's own address and of the providers; `fault` says why it was not seen or is not good. */
  certificates: z.array(
    z.object({
      of: z.string(),
      /** Whether it is that of the archive's own address: the others are renewed by somebody else. */
      isOwn: z.boolean(),
      startsAt: instant.nullable(),
      endsAt: instant.nullable(),
      fault: z.string().nullable(),
    }),
  ),
  /** Whether each provider takes our credentials: `fault` says what is wrong, `isRejecting` that it is they, and not the way there. */
  providers: z.array(z.object({ id: z.string(), fault: z.string().nullable(), isRejecting: z.boolean() })),
});
export type OutsideLook = z.infer<typeof OutsideLook>;

/** One thing that an operator should know: what is so, and what to do about it. */
export const Warning = z.object({
  /** Always the same for the same thing: it is told of once a day. */
  about: z.string(),
  /** `bad`: somebody or something waits or is in danger; `hint`: it will be. */
  is: z.enum(['bad', 'hint']),
  says: z.string(),
  whatToDo: z.string(),
  /** How many it is about, where that grows: when there are many more, it is told of again. */
  count: z.number().int().optional(),
});
export type Warning = z.infer<typeof Warning>;

/** How the archive stands as a whole, for administrators. */
export const ArchiveStatus = z.object({
  at: instant,
  version: z.string(),
  warnings: z.array(Warning),
  processes: z.array(ArchiveProcess),
  queues: z.array(WorkQueue),
  store: z.object({
    /** Where the media lie. */
    place: z.string(),
    films: z.number().int(),
    originalsBytes: z.number(),
    /** What they may come to; null where nothing bounds them. */
    originalsMaxBytes: z.number().nullable(),
    /** Below this much free space nothing is taken in. */
    reserveBytes: z.number(),
  }),
  /** Null where another service has the films, and finds them. */
  index: IndexStanding.nullable(),
  database: DatabaseStanding,
  backup: BackupState.extend({ folder: z.string().nullable() }),
  engines: z.array(Engine.pick({ name: true, version: true, step: true, off: true })),
  /** Null before the first look, and in an archive that nobody outside reaches. */
  outside: OutsideLook.nullable(),
});
export type ArchiveStatus = z.infer<typeof ArchiveStatus>;

/** What somebody could see who should not: asked of every route, about a film that only editors see. */
export const AccessCheck = z.object({
  at: instant,
  tookMs: z.number().int(),
  routes: z.number().int(),
  questions: z.number().int(),
  /** What was answered and should not have been, in words. */
  leaks: z.array(z.string()),
  /** What could not be asked, and why. */
  unasked: z.array(z.string()),
});
export type AccessCheck = z.infer<typeof AccessCheck>;
