import { z } from 'zod';
import { limits, serverLimits } from '#contract/limits.ts';
import { parseJson } from '../system/parse-json.ts';
import { IdFromElsewhere, remarkIdNotKept } from '../videos/catalogue-record.ts';
import { cleanText, holdsEmailAddress, remarkAddressesRemoved } from '../videos/clean-text.ts';
import { NamedFact } from '../videos/named-fact.ts';

const { factMaxCodePoints } = limits;
const Text = (maxCodePoints: number) => z.string().transform((text) => cleanText(text, maxCodePoints));
const Named = z.array(NamedFact).max(serverLimits.namesPerFilmMax).default([]);

/** A language as facts and transcripts tell it; short enough to be part of a file's name. */
export const Language = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,8}$/, 'must be a language such as en or pt-BR');

/** What `name.json` beside a film may say of it. Anything else in it is not read. */
export const FootageFacts = z.object({
  /** The id that it had in another video service: kept by an import where it is free. */
  videoId: IdFromElsewhere,
  title: Text(factMaxCodePoints.title).optional(),
  externalId: Text(factMaxCodePoints.externalId).optional(),
  description: Text(factMaxCodePoints.description).optional(),
  owner: Text(limits.ownerMaxCodePoints).optional(),
  recordedAt: Text(factMaxCodePoints.recordedAt).optional(),
  place: Text(factMaxCodePoints.place).optional(),
  language: Language.optional(),
  rights: Text(factMaxCodePoints.rights).optional(),
  people: Named,
  labels: Named,
  brands: Named,
});
export type FootageFacts = z.infer<typeof FootageFacts>;

export const noFacts: FootageFacts = { people: [], labels: [], brands: [] };

/**
 * Reads the text of a facts file. A field that holds an e-mail address is left out, for the archive keeps none; a file that cannot
 * be used at all never stops its film. Remarks say what was left out.
 */
export function readFactsFile(text: string): { facts: FootageFacts; remarks: string[] } {
  const json = parseJson(text);
  const parsed = FootageFacts.safeParse(json);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`).join('; ');
    return { facts: noFacts, remarks: [`details file not used (${where.slice(0, 300)})`] };
  }
  const fields = Object.entries(parsed.data);
  const hasAddress = (value: unknown) => holdsEmailAddress(JSON.stringify(value ?? ''));
  const kept = fields.map(([name, value]) => (Array.isArray(value) ? [name, value.filter((entry) => !hasAddress(entry))] : [name, value]));
  const dropped = fields.filter(([, value]) => hasAddress(value)).map(([name]) => name);
  const facts = FootageFacts.parse(Object.fromEntries(kept.filter(([, value]) => !hasAddress(value))));
  return { facts, remarks: [...remarkAddressesRemoved(dropped), ...remarkIdNotKept(json)] };
}
