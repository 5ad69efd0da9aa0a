import type { Pool } from '#domain/db/database.ts';
import type { PlainQuestion } from '#testing/measured-archive.ts';
import { type PeerMatch, peerMatches } from './peer-matches.ts';

interface PeerRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly owner: string | null;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly brands: readonly string[];
  readonly body: string;
  readonly wordStarts: string | null;
}

export interface PeerResult {
  readonly id: string;
  readonly matches: readonly PeerMatch[];
}

/**
 * Makes an answer of the videos that the peer found: one read of their rows, the lines that hold what was asked for, their
 * words marked. It does the work that our own answer did when the bars were set, and stays as it is, however ours is made.
 */
export async function readPeerAnswer(pool: Pool, question: PlainQuestion, ids: readonly string[]): Promise<PeerResult[]> {
  if (ids.length === 0) return [];
  const text = `
    select v.id, v.name, v.external_id, v.description, v.owner, v.recorded_at, v.place, v.language, v.rights, v.people, v.labels,
           v.brands, v.duration_seconds, v.width, v.height, v.views, v.created_at, v.modified_at, v.published_at,
           coalesce(convert_from(m.body, 'UTF8'), '') as body, m.word_starts as "wordStarts"
      from unnest($1::text[]) with ordinality as wanted (id, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
      left join lateral (select * from moments where video_id = v.id limit 1) m on true
     where v.state = 'Processed'
     order by wanted.rank`;
  const { rows } = await pool.query<PeerRow>({ name: 'peer-page', text, values: [ids] });
  return rows.map(({ id, body, wordStarts, ...facts }) => {
    const names = [facts.name, facts.description, facts.owner, ...facts.people, ...facts.labels, ...facts.brands];
    return { id, matches: peerMatches(question, { body, wordStarts, names: names.filter((name) => name !== null) }) };
  });
}
