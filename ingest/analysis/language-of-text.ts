/** Short texts are taken for other languages: at eight words 2 of 300 were. */
const wordsOfSample = 40;
const wordsMin = 8;
const samplesMax = 25;
/** As a share of the samples that tell a language at all. */
const agreeMin = 0.6;

/** The language that most stretches of a text are in, as a tag of two letters; undefined where they disagree, or are too short to tell. */
export async function tellLanguageOf(lines: readonly string[]): Promise<string | undefined> {
  const words = lines.join(' ').split(/\s+/u).filter(Boolean);
  if (words.length < wordsMin) return undefined;
  // Loaded where it is needed: it takes some 80 MB.
  const { eld } = await import('eld/small');
  const count = Math.min(samplesMax, Math.ceil(words.length / wordsOfSample));
  const votes = new Map<string, number>();
  let told = 0;
  for (let n = 0; n < count; n++) {
    const from = Math.floor((n * words.length) / count);
    const detected = eld.detect(words.slice(from, from + wordsOfSample).join(' '));
    if (!detected.isReliable()) continue;
    told++;
    votes.set(detected.language, (votes.get(detected.language) ?? 0) + 1);
  }
  const [[best, agreed] = ['', 0]] = [...votes].sort(([, a], [, b]) => b - a);
  return agreed > 0 && agreed >= agreeMin * told ? best : undefined;
}
