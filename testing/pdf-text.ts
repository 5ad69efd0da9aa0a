import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF as Chromium writes it, in the order in which it is drawn, without any white space: where a line or a word ends on paper
 * is a matter of places.
 */
export function pdfText(pdf: Buffer): string {
  const objects = readObjects(pdf);
  const letters = new Map([...objects].flatMap(([id, { head }]) => lettersOfFont(objects, head).map((font) => [`F${id}`, font] as const)));
  return [...objects.values()]
    .filter(({ content }) => /^BT$/m.test(content))
    .map(({ content }) => drawnText(content, letters))
    .join('')
    .replace(/\s/g, '');
}

interface PdfObject {
  readonly head: string;
  /** Of its stream. */
  readonly content: string;
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const found = pdf.toString('latin1').matchAll(/^(\d+) 0 obj\n(.*?)(?:stream\n(.*?)\nendstream\n)?endobj/gms);
  return new Map([...found].map(([, id = '', head = '', stream]) => [id, { head, content: unpack(head, stream) }]));
}

function unpack(head: string, stream = ''): string {
  if (!head.includes('/FlateDecode')) return stream;
  return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
}

/** What the codes of a font stand for. */
interface Letters {
  readonly digitsPerCode: 2 | 4;
  readonly byCode: ReadonlyMap<number, string>;
}

function lettersOfFont(objects: ReadonlyMap<string, PdfObject>, head: string): Letters[] {
  const [, id = ''] = /\/ToUnicode (\d+) 0 R/.exec(head) ?? [];
  const table = objects.get(id)?.content;
  if (table === undefined) return [];
  const byCode = new Map<number, string>();
  for (const [, code = '', to = ''] of table.matchAll(/^<(\w+)> <((?:\w{4})+)>$/gm)) byCode.set(Number.parseInt(code, 16), textOf(to));
  for (const [, first = '', last = '', to = ''] of table.matchAll(/^<(\w+)> <(\w+)> <(\w+)>$/gm))
    for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++)
      byCode.set(code, String.fromCharCode(Number.parseInt(to, 16) + code - Number.parseInt(first, 16)));
  return [{ digitsPerCode: head.includes('/Type3') ? 2 : 4, byCode }];
}

function textOf(utf16: string): string {
  return Buffer.from(utf16, 'hex').swap16().toString('utf16le');
}

function drawnText(content: string, letters: ReadonlyMap<string, Letters>): string {
  let font: Letters | undefined;
  let text = '';
  for (const [, name, codes] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)> Tj/g)) {
    if (name) font = letters.get(name);
    for (const code of codes?.match(font?.digitsPerCode === 2 ? /../g : /.{4}/g) ?? [])
      text += font?.byCode.get(Number.parseInt(code, 16)) ?? '';
  }
  return text;
}
