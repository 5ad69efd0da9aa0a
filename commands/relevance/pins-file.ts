import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import { Pin } from './pin.ts';

/** Why the pins of an archive cannot be asked: what happened and what to do, for the operator. */
export class RelevanceFault extends Error {}

const PinsFile = z.strictObject({ pins: z.array(Pin, 'must be a list') }, 'the file must hold {"pins": [ … ]}');

/** The pins of a file; null when there is no such file. Throws a RelevanceFault that names everything wrong with it. */
export async function readPins(path: string): Promise<Pin[] | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return null;
    throw new RelevanceFault(`${path} cannot be read (${errorCodeOf(error)}). Check that it is a file and that you may read it.`);
  });
  if (text === null) return null;
  const json = parseJson(text);
  if (json === undefined)
    throw new RelevanceFault(`${path} is not JSON. It should hold {"pins": [ … ]}; look for a missing comma or quote.`);
  const parsed = PinsFile.safeParse(json);
  if (parsed.success) return parsed.data.pins;
  throw new RelevanceFault([`${path} cannot be used:`, ...parsed.error.issues.map(lineOf)].join('\n'));
}

/** Replaces the file as a whole. */
export async function writePins(path: string, pins: readonly Pin[]): Promise<void> {
  try {
    await writeFile(`${path}.new`, `${JSON.stringify({ pins }, null, 2)}\n`);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new RelevanceFault(
      `${path} cannot be written (${errorCodeOf(error)}). Check that its folder exists and that you may write to it.`,
    );
  }
}

/** `pin 3: within must be …` */
function lineOf({ path: [, number, field], message, ...issue }: z.core.$ZodIssue): string {
  const place = typeof number === 'number' ? `  pin ${number + 1}: ` : '  ';
  if (issue.code === 'unrecognized_keys') return `${place}${issue.keys.join(', ')}: there is no such field`;
  return `${place}${field === undefined ? '' : `${String(field)} `}${message}`;
}
