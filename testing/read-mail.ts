export interface ReadMail {
  /** Headers of the whole e-mail by their names in small letters; a name that comes twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  readonly html: string;
}

/** Takes a raw e-mail of two parts, text and HTML, apart. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = splitHead(raw);
  const boundary = headers.get('content-type')?.[0]?.match(/boundary="([^"]+)"/)?.[1];
  if (!boundary) throw new Error(`an e-mail without parts:\n${raw}`);
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitHead(part.replace(/^\r?\n/, '')));
  const decoded = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.[0]?.startsWith(type));
    return part ? decode(part.body, part.headers.get('content-transfer-encoding')?.[0] ?? '7bit') : '';
  };
  return { headers, text: decoded('text/plain'), html: decoded('text/html') };
}

/** The sign-in link of an e-mail, as a person would open it. */
export function linkIn(mail: { readonly text: string }): URL {
  return new URL(mail.text.match(/https?:\/\/\S+\/login-email-link\S+/)?.[0] ?? '');
}

function splitHead(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.search(/\r?\n\r?\n/);
  const headers = new Map<string, string[]>();
  const unfolded = raw.slice(0, end).replace(/\r?\n[ \t]+/g, ' ');
  for (const line of unfolded.split(/\r?\n/)) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(':') + 1).trim()]);
  }
  return { headers, body: raw.slice(end).replace(/^(\r?\n){2}/, '') };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
