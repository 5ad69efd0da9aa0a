import type { FactName, LinesChange } from '#contract/corrections.ts';
import type { IndexPatch } from '#contract/video-service/input.ts';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { correctFact, findFacts } from '#domain/videos/corrections/correct-fact.ts';
import { correctLines } from '#domain/videos/corrections/correct-lines.ts';
import type { Video } from '#domain/videos/video.ts';
import { VideoServiceProblem } from './video-service-problem.ts';

interface Patching {
  readonly video: Video;
  readonly patch: IndexPatch;
  readonly actorUid: string;
  readonly from: string;
}

const facts: Readonly<Record<string, FactName>> = { '/name': 'title', '/description': 'description' };
const linePath = /^\/videos\/0\/insights\/transcript\/(\d{1,6})\/text$/;

/**
 * Makes corrections of a patch of the index document: its name, its description, and what lines of its transcript say, as its index gives
 * them now. All of it is done, or nothing. Throws a Problem for what cannot be patched, and what a correction throws.
 */
export async function patchIndex(pool: Pool, { video, patch, actorUid, from }: Patching): Promise<void> {
  const by = { videoId: video.id, actorUid, from };
  const known = await findFacts(pool, video.id);
  const spoken = (await findMoments(pool, video.id)).filter(({ kind }) => kind === 'Transcript');
  const ofFacts: { fact: FactName; replaces: string; says: string }[] = [];
  const changes: LinesChange[] = [];
  for (const { op, path, value } of patch) {
    if (op !== 'replace') throw refuse('JSON_PATCH_INVALID_OP', `“${op}” is not supported: only “replace” is.`);
    if (typeof value !== 'string') throw refuse('JSON_PATCH_INVALID_VALUE', `The value of ${path} must be text.`);
    const fact = facts[path];
    const line = spoken[Number(linePath.exec(path)?.[1] ?? Number.NaN)];
    if (fact) ofFacts.push({ fact, replaces: known[fact], says: value });
    else if (line) {
      const was = { startMs: line.startMs, endMs: line.endMs, text: line.text, speaker: line.speaker ?? null };
      changes.push({ replaces: [was], lines: [{ ...was, text: value }] });
    } else
      throw refuse(
        'JSON_PATCH_INVALID_PATH',
        `${path} does not exist or cannot be changed. Names, descriptions and the texts of lines can.`,
      );
  }
  await inTransaction(pool, async (db) => {
    if (changes.length > 0) await correctLines(db, { ...by, changes });
    for (const change of ofFacts) await correctFact(db, { ...by, ...change });
  });
}

function refuse(errorType: string, message: string): VideoServiceProblem {
  return new VideoServiceProblem('invalid_parameter', errorType, message);
}
