import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';

/**
 * Gives the file of a form (RFC 7578) to `take` while it comes, under the name that the form says, and returns what that made of it once all
 * of the form is read. Throws a Problem for a body that is no form, or a form without a file, and what `take` throws.
 */
export async function takeSentFile<T>(
  { headers, body }: FastifyRequest,
  take: (file: { readonly name: string; readonly bytes: Readable }) => Promise<T>,
): Promise<T> {
  const type = headers['content-type'];
  if (!type || !isStream(body)) throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.');
  const form = openForm(type);
  let sent: Readable | undefined;
  let taking: Promise<T> | undefined;
  form.on('file', (_field, bytes, name) => {
    sent = bytes;
    taking = take({ name, bytes });
    // What nobody reads would stop the form: the rest of it goes by.
    taking.catch(() => bytes.resume());
  });
  try {
    await pipeline(body, form);
  } catch (cause) {
    // A form that breaks off says nothing of its file.
    sent?.destroy(new Error('the form broke off', { cause }));
    await taking?.catch(() => {});
    throw new Problem('invalid_parameter', 'The form could not be read to its end.', { cause });
  }
  if (!taking) throw new Problem('invalid_parameter', 'The form holds no file.');
  return await taking;
}

function openForm(type: string) {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: { files: 1, fields: 20, fieldSize: 10_000, parts: 21 } });
  } catch (cause) {
    throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.', { cause });
  }
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}
