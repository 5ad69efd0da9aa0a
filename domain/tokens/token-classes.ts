/*
 * Tokens: what opens search, one video or a picture. This lists the classes, signed-token makes and checks them,
 * secrets holds what they are signed with.
 */
import { z } from 'zod';

const id = z.string().min(1).max(64);

/**
 * Search and thumbnails, for guests too; made by an editor's key, all that the video service does for editors. `sub` is the caller, and for a key
 * its user: it stays the same over renewals.
 */
export const accountTokenClass = {
  typ: 'acct+jwt',
  audience: 'video-service',
  claims: { sub: id, scope: z.enum(['search thumb', 'search thumb adminfields', 'search thumb edit']), sid: id.optional() },
} as const;

/** One video, for one session of one user. Films that lie at Azure have ids of all letters, ours are hexadecimal: whatever finds them asks for that. */
export const videoTokenClass = {
  typ: 'video+jwt',
  audience: 'video-service',
  claims: { vid: z.string().regex(/^[0-9a-z]{10}$/), sub: id, sid: id, av: z.int() },
} as const;

/** The user, towards our own functions. */
export const userBearerClass = {
  typ: 'user+jwt',
  audience: 'functions',
  claims: { sub: id, sid: id },
} as const;

/** Playlists and segments of one video. */
export const mediaCookieClass = {
  typ: 'media+jwt',
  audience: 'media',
  claims: videoTokenClass.claims,
} as const;
