import type { FilmUnderWay, StepOfVideo } from '#contract/steps.ts';

/** A stretch of a film's way through the archive: one or several steps. */
export interface Stage {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'done' | 'skipped' | 'failed';
  /** 0 to 100. */
  readonly percent: number;
  readonly steps: readonly StepOfVideo[];
}

export const stageNames = ['Upload', 'Transcode', 'Speech', 'On-screen text', 'People', 'Brands', 'Index'] as const;

const stageOfStep: Readonly<Record<string, (typeof stageNames)[number]>> = {
  'larger-renditions': 'Transcode',
  voice: 'Speech',
  'picture-subtitles': 'Speech',
  speech: 'Speech',
  language: 'Speech',
  poster: 'Index',
  frames: 'On-screen text',
  shots: 'On-screen text',
  text: 'On-screen text',
  people: 'People',
  labels: 'People',
  brands: 'Brands',
  keywords: 'Brands',
  meaning: 'Index',
};

/** What is found beside what a stage is named after: without it, and without what it means, a film is found all the same. */
const besides: ReadonlySet<string> = new Set([
  ...['poster', 'frames', 'shots', 'voice', 'picture-subtitles', 'language', 'labels', 'keywords', 'meaning'],
]);

/** The stages of a film that has come: its steps, gathered under seven names. */
export function stagesOf(film: Pick<FilmUnderWay, 'steps' | 'isIndexed' | 'state'>): Stage[] {
  return stageNames.map((name) => {
    const steps = film.steps.filter((step) => (stageOfStep[step.name] ?? (step.class === 'playable' ? 'Transcode' : 'Index')) === name);
    if (name === 'Upload') return { name, state: 'done', percent: 100, steps };
    const isDone = steps.every((step) => isOver(step) || isLater(step, name)) && (name !== 'Index' || film.isIndexed);
    return { name, state: isDone ? doneStateOf(steps) : stateOf(steps, film), percent: percentOf(steps), steps };
  });
}

function isOver({ state }: Pick<StepOfVideo, 'state'>): boolean {
  return state === 'done' || state === 'skipped';
}

/** Larger renditions that nobody has begun: the film plays without them. */
function isLater({ class: group, state }: StepOfVideo, stage: Stage['name']): boolean {
  return stage === 'Transcode' && group === 'understood' && state === 'waiting';
}

function doneStateOf(steps: readonly StepOfVideo[]): 'done' | 'skipped' {
  const named = steps.filter(({ name }) => !besides.has(name));
  return named.length > 0 && named.every(({ state }) => state === 'skipped') ? 'skipped' : 'done';
}

function stateOf(steps: readonly StepOfVideo[], { state: film }: Pick<FilmUnderWay, 'state'>): Stage['state'] {
  if (steps.some(({ state }) => state === 'failed')) return 'failed';
  if (film !== 'Failed' && steps.some(({ state }) => state === 'running')) return 'running';
  return 'waiting';
}

function percentOf(steps: readonly StepOfVideo[]): number {
  if (steps.length === 0) return 0;
  const sum = steps.reduce((sum, step) => sum + (isOver(step) ? 100 : (step.percent ?? 0)), 0);
  return Math.floor(sum / steps.length);
}

/** How a film stands, for the line of counts and the order of the rows. */
export function standingOf(film: FilmUnderWay): 'ready' | 'needs attention' | 'under way' {
  if (film.state === 'Failed' || film.steps.some(({ state }) => state === 'failed')) return 'needs attention';
  return film.steps.some(({ state }) => state === 'waiting' || state === 'running') || !film.isIndexed ? 'under way' : 'ready';
}

/** Why a film waits of which nothing runs: what the first step says that waits, else that no worker has come to it yet. */
export function waitsFor({ steps }: Pick<FilmUnderWay, 'steps'>): string {
  const reason = steps.find(({ state, message }) => state === 'waiting' && message !== null)?.message;
  return reason ? `waits: ${reason}` : 'waits for a worker';
}

/** `11 min left`, `2 h 06 min left`, `40 s left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min left`;
}
