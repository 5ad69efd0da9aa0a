import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The version of an answer that is made of its text alone, as its `etag`. */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/** Whether whoever asks holds this version already (RFC 9110, 13.1.2). */
export function hasSameVersion({ headers }: FastifyRequest, version: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.some((tag) => tag === version || tag === '*') ?? false;
}
