import { z } from 'zod';
import { parseJson } from '../files/parse-json.ts';
import { groupOfKey } from './archive-files.ts';

/** A file as a snapshot names it: a line of its list. */
export const ListedFile = z.object({
  key: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int(),
  modifiedMs: z.number().int(),
});
export type ListedFile = z.infer<typeof ListedFile>;

/** The files of a list, in its order. With `mayEndEarly` the first line that is none is the end: the list of a backup that was killed. */
export async function* readFileList(bytes: AsyncIterable<Uint8Array>, { mayEndEarly = false } = {}): AsyncGenerator<ListedFile, void> {
  for await (const line of linesOf(bytes)) {
    const listed = ListedFile.safeParse(parseJson(line));
    if (listed.success) yield listed.data;
    else if (mayEndEarly) return;
    else throw new Error('A list of files was made by a newer version of Rushes; use that version.');
  }
}

/** Whether a file that was listed is as it was. Some file systems round its time. */
export function isUnchanged(listed: ListedFile, now: { sizeBytes: number; modifiedMs: number }): boolean {
  return listed.sizeBytes === now.sizeBytes && Math.abs(listed.modifiedMs - now.modifiedMs) <= 1;
}

/** A line of a list. */
export function listLine({ key, sha256, sizeBytes, modifiedMs }: ListedFile): string {
  return `${JSON.stringify({ key, sha256, sizeBytes, modifiedMs })}\n`;
}

/** Gives the files of a list group by group, when it is asked for the groups in their order: a list need not fit into memory. */
export function inGroups(list: AsyncGenerator<ListedFile, void>, groups: readonly string[]) {
  let next: ListedFile | undefined;
  let isOver = false;
  const advance = async () => {
    const { value, done } = await list.next();
    next = value ?? undefined;
    isOver = done === true;
  };
  return async (group: string): Promise<ListedFile[]> => {
    const found: ListedFile[] = [];
    const until = groups.indexOf(group);
    if (next === undefined && !isOver) await advance();
    while (next !== undefined) {
      const at = groups.indexOf(groupOfKey(next.key));
      if (at > until) break;
      if (at === until) found.push(next);
      await advance();
    }
    return found;
  };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
