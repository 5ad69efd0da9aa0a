import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { CorrectionList, LineList } from '#contract/corrections.ts';
import { VideoIndex } from '#contract/video-service/answers.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addFilm } from '../add-film.ts';
import { addPerson, type Person } from '../add-person.ts';
import { seededRandom } from '../seeded-random.ts';
import { until } from '../until.ts';
import { countRounds, type KillFigures, type Verdict } from './kill-figures.ts';
import type { KillableArchive } from './killable-archive.ts';
import type { Victim } from './victims.ts';

const victims: readonly Victim[] = ['server', 'database', 'worker', 'index'];
const linesPerFilm = 40;
/** A correction takes a few milliseconds: the kill comes while some have been acknowledged and others not. */
const longestMs = 250;

/**
 * Corrects line after line of a film and its title, kills a process meanwhile, and asks after every correction that was acknowledged: it stands
 * once, in the film, in the list of corrections, in the audit and in search.
 */
export async function runCorrectionKills(
  archive: KillableArchive,
  options: { rounds: number; seed: number; print: (line: string) => void },
): Promise<KillFigures> {
  const chance = seededRandom(options.seed);
  const editor = await addPerson({ pool: archive.pool, secrets: loadSecrets(archive.dataFolder) }, { editor: true });
  const store = openLocalStore(archiveFolderIn(archive.dataFolder).root);
  return await countRounds(options.rounds, options.print, async (round) => {
    const mark = `r${round}${randomBytes(3).toString('hex')}`;
    const lines = Array.from({ length: linesPerFilm }, (_, n) => `${mark} heard ${n}`);
    const film = await until(() => addFilm({ pool: archive.pool, store }, { name: mark, lines }).catch(() => undefined));
    const desk = openDesk(archive, editor, film);
    const seen = await until(() => desk.lines().catch(() => undefined));
    const victim = victims[round % victims.length] ?? 'server';
    const work = correctAll(desk, seen, mark);
    await until(() => work.told.length > 0);
    await wait(chance.below(longestMs));
    await archive.kill(victim);
    await work.ended;
    await archive.untilAnswering();
    const about = `kill ${victim} after ${work.told.length} of ${linesPerFilm} corrections`;
    return { about, verdict: await until(() => judge(archive, desk, { film, mark, told: work.told }).catch(() => undefined)) };
  });
}

type Lines = z.output<typeof LineList>['lines'];
type Desk = ReturnType<typeof openDesk>;

function openDesk(archive: KillableArchive, editor: Person, film: string) {
  const ask = async (path: string, body?: object) => {
    const { origin } = archive.served();
    const headers = { cookie: editor.cookie, origin, 'content-type': 'application/json' };
    const init = body ? { method: 'PUT', body: JSON.stringify(body) } : {};
    const answer = await fetch(`${origin}/api/videos/${film}/${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  return {
    lines: async () => LineList.parse(await ask('lines')).lines,
    corrections: async () => CorrectionList.parse(await ask('corrections')).corrections,
    correct: async (line: Lines[number], text: string) => {
      const { startMs, endMs, speaker } = line;
      const was = { startMs, endMs, text: line.text, speaker };
      await ask('lines', { changes: [{ replaces: [was], lines: [{ ...was, text }] }] });
    },
    index: async () => {
      const { origin, searchAddress } = archive.served();
      const headers = { authorization: `Bearer ${await editor.videoToken(film)}` };
      const answer = await fetch(`${searchAddress.replace('/Search', '')}/${film}/Index`, { headers });
      if (!answer.ok) throw new Error(`${origin}: ${answer.status}`);
      return VideoIndex.parse(await answer.json());
    },
  };
}

/** One line after the other, until the archive no longer answers; what it acknowledged stands in `told`. */
function correctAll(desk: Desk, lines: Lines, mark: string): { readonly told: string[]; readonly ended: Promise<void> } {
  const told: string[] = [];
  const correct = async () => {
    for (const [n, line] of lines.entries()) {
      const text = `${mark} corrected ${n}`;
      await desk.correct(line, text);
      told.push(text);
    }
  };
  return { told, ended: correct().catch(() => {}) };
}

async function judge(
  archive: KillableArchive,
  desk: Desk,
  { film, mark, told }: { film: string; mark: string; told: readonly string[] },
): Promise<Verdict> {
  const [lines, corrections, index] = [await desk.lines(), await desk.corrections(), await desk.index()];
  const says = corrections.map((one) => one.says ?? '');
  // The one that was under way may have come in or not; nothing else may.
  const extra = says.filter((text) => !told.includes(text));
  const { rows } = await archive.pool.query("select detail from audit where video_id = $1 and action = 'lines-corrected'", [film]);
  const audited = z.array(z.object({ detail: z.string() })).parse(rows);
  const texts = lines.map(({ text }) => text);
  const shown = index.videos[0]?.insights.transcript?.map(({ text }) => text) ?? [];
  const lost = told.filter((text) => !says.includes(text) || !texts.includes(text));
  const last = told.at(-1) ?? mark;
  const found = await until(async () => (await archive.served().search(`"${last}"`)).includes(film), { withinMs: 120_000 }).catch(
    () => false,
  );
  return {
    lost: [...lost, ...(found ? [] : [`“${last}” is not found`])],
    twice: says.filter((text, n) => says.indexOf(text) !== n),
    halfVisible: [
      ...(JSON.stringify(shown) === JSON.stringify(texts) ? [] : [`the index of ${film} says otherwise than its lines`]),
      ...(audited.length === says.length ? [] : [`${audited.length} of ${says.length} corrections in the audit`]),
    ],
    disagreements: extra.length > 1 ? [`${extra.length} corrections that nobody acknowledged`] : [],
  };
}
