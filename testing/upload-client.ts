import type { Person } from './add-person.ts';
import type { TestServer } from './test-server.ts';

/** What every call of tus carries, and what one that sends bytes does. */
export const tus = { 'tus-resumable': '1.0.0' };
export const pieceOfUpload = { ...tus, 'content-type': 'application/offset+octet-stream' };

/** What a page of the archive sends in somebody's name. */
export function headersOf(person: Person) {
  return { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80' };
}

type Ask = [person: Person, method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, more?: Record<string, string>];

/** Asks the application as this person. */
export function askIn({ app }: Pick<TestServer, 'app'>, ...[person, method, url, more = {}]: Ask) {
  return app.inject({ method, url, headers: { ...headersOf(person), ...more } });
}

interface FileToBegin {
  readonly name: string;
  readonly size: number;
  readonly ends?: string;
  /** The film whose file it takes the place of. */
  readonly replaces?: string;
}

/** Begins an upload as this person; its address stands in `location`. */
export function beginUploadIn(
  server: Pick<TestServer, 'app'>,
  person: Person,
  { name, size, ends = '0'.repeat(64), replaces }: FileToBegin,
) {
  const said = { filename: name, ends, ...(replaces ? { replaces } : {}) };
  return askIn(server, person, 'POST', '/api/uploads', beginning(size, said));
}

/** What a call carries that begins an upload. */
export function beginning(size: number, said: Readonly<Record<string, string>>): Record<string, string> {
  const metadata = Object.entries(said).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
  return { ...tus, 'upload-length': String(size), 'upload-metadata': metadata.join(',') };
}

/** Sends a piece of an upload as this person. */
export function sendIn(
  { app }: Pick<TestServer, 'app'>,
  person: Person,
  { url, bytes, offset }: { readonly url: string; readonly bytes: Buffer; readonly offset: number },
) {
  const headers = { ...headersOf(person), ...pieceOfUpload, 'upload-offset': String(offset) };
  // Bytes from a connection have memory of their own, which is given back when they are written.
  return app.inject({ method: 'PATCH', url, headers, payload: Buffer.from(bytes) });
}

/** A form with one file, as scripts send a film. */
export function formOf(bytes: Uint8Array, fileName: string): { readonly type: string; readonly body: Buffer } {
  const edge = 'edge-of-the-form';
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: video/mp4\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${edge}`, body };
}
