import type { ArchiveSides } from './compare-sides.ts';

/** What the two sides are called in a sentence for the operator. */
export interface SideNames {
  readonly folder: string;
  readonly database: string;
}

/** As many may be on their way in, or have been left by a crash. */
const fewVideos = 3;
const missingShareMax = 0.01;

/**
 * Why data folder and database may not be worked on together, with a way out; undefined when they may. Better no archive for an hour than
 * one that takes another's films for rubbish.
 */
export function refusalOfSides(sides: ArchiveSides, names: SideNames): string | undefined {
  const { folderId, databaseId, unknown, missing } = sides;
  const [folder, database] = [`The data folder ${names.folder}`, `the database ${names.database}`];
  if (folderId !== null && databaseId !== null && folderId !== databaseId)
    return `${folder} belongs to the archive ${folderId}, but ${database} to ${databaseId}: correct RUSHES_DATA or DATABASE_URL. ${adopt}`;
  const agree = folderId !== null && folderId === databaseId;
  if (sides.videoCount === 0 && unknown.length > (agree ? fewVideos : 0))
    return `${folder} holds ${countInWords(unknown)}, but ${database} holds none: correct RUSHES_DATA or DATABASE_URL, or restore the database from a backup. ${adopt}`;
  if (missing.length > fewVideos && missing.length > sides.originalCount * missingShareMax)
    return `${folder} lacks the originals of ${missing.length} of the ${sides.originalCount} videos that ${database} knows (${nameSome(missing)}): mount the volume that holds them, correct RUSHES_DATA or DATABASE_URL, or restore them from a backup. ${adopt}`;
  if (!agree && unknown.length > 0)
    return `${folder} holds ${countInWords(unknown)} that ${database} does not know (${nameSome(unknown)}), and they are not known to be one archive: correct RUSHES_DATA or DATABASE_URL, or restore the database from a newer backup. ${adopt}`;
  return undefined;
}

const adopt = 'npm run adopt lists the differences, and with -- --yes makes them one archive as they are; it deletes nothing.';

function countInWords({ length }: readonly string[]): string {
  return length === 1 ? 'one video' : `${length} videos`;
}

function nameSome(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and others` : ids.join(', ');
}
