import { expect, test } from 'vitest';
import type { FilmUnderWay, StepOfVideo } from '#contract/steps.ts';
import { formatTimeLeft, stagesOf, standingOf, waitsFor } from './stages.ts';

function step(name: string, state: StepOfVideo['state'], more: Partial<StepOfVideo> = {}): StepOfVideo {
  const isPlayable = ['probe', 'renditions'].includes(name);
  const times = { startedAt: null, endedAt: null, percent: null, speed: null, secondsLeft: null, message: null, details: null };
  return {
    ...times,
    name,
    state,
    class: isPlayable ? 'playable' : 'understood',
    optional: !isPlayable,
    version: 1,
    newestVersion: 1,
    attempts: 1,
    ...more,
  };
}

function film(steps: readonly StepOfVideo[], more: Partial<FilmUnderWay> = {}): FilmUnderWay {
  const times = { createdAt: '2026-11-23T10:00:00Z', publishedAt: null, durationInSeconds: 60, sizeBytes: 1, failureMessage: null };
  return {
    ...times,
    id: '0123456789',
    name: 'Tram',
    fileName: 'tram.mp4',
    state: 'Processing',
    isIndexed: false,
    steps: [...steps],
    ...more,
  };
}

const statesOf = (one: FilmUnderWay) => stagesOf(one).map(({ state, percent }) => (state === 'running' ? `running ${percent}` : state));

test('what makes a film playable is one stage, and what is understood of it goes on beside a failure', () => {
  const steps = [
    step('probe', 'done'),
    step('renditions', 'running', { percent: 50 }),
    step('speech', 'failed'),
    step('text', 'skipped'),
    step('people', 'waiting'),
  ];
  expect(statesOf(film(steps))).toEqual(['done', 'running 75', 'failed', 'skipped', 'waiting', 'done', 'waiting']);
  expect(standingOf(film(steps))).toBe('needs attention');
});

test('a film is ready when every step is done or left out and search has seen it, and not before', () => {
  const steps = [step('probe', 'done'), step('speech', 'skipped'), step('meaning', 'done')];
  const published = film(steps, { state: 'Processed' });
  expect([standingOf(published), statesOf(published).at(-1)]).toEqual(['under way', 'waiting']);
  const found = { ...published, isIndexed: true };
  expect([standingOf(found), statesOf(found).at(-1)]).toEqual(['ready', 'done']);
});

test('a film in which nothing is said is found by its other words: its last stage is done, whatever it means', () => {
  const silent = film([step('probe', 'done'), step('speech', 'skipped'), step('meaning', 'skipped')], { isIndexed: true });
  expect(statesOf(silent)).toEqual(['done', 'done', 'skipped', 'done', 'done', 'done', 'done']);
});

test('a film that plays in its smallest size is transcoded until its larger ones are begun, and is ready when they are made', () => {
  const larger = (state: StepOfVideo['state'], more: Partial<StepOfVideo> = {}) =>
    film([step('probe', 'done'), step('renditions', 'done'), step('larger-renditions', state, more)], {
      state: 'Processed',
      isIndexed: true,
    });
  const transcode = (one: FilmUnderWay) => statesOf(one)[1];
  expect([transcode(larger('waiting')), standingOf(larger('waiting'))]).toEqual(['done', 'under way']);
  expect(transcode(larger('running', { percent: 40 }))).toBe('running 80');
  expect(transcode(larger('failed'))).toBe('failed');
  expect([transcode(larger('done')), standingOf(larger('done'))]).toEqual(['done', 'ready']);
});

test('what runs when a film has failed does not run any more', () => {
  expect(statesOf(film([step('renditions', 'running', { percent: 40 })], { state: 'Failed' }))[1]).toBe('waiting');
});

test('a film that waits for something says for what', () => {
  const full = 'The archive’s disk needs 300 MB more; once that is free, this resumes automatically.';
  const steps = [step('probe', 'done', { message: 'A remark.' }), step('renditions', 'waiting'), step('captions', 'waiting')];
  expect(waitsFor({ steps })).toBe('waits for a worker');
  expect(waitsFor({ steps: [...steps, step('publish', 'waiting', { message: full })] })).toBe(`waits: ${full}`);
});

test('time is told as roughly as it is known', () => {
  expect([0, 40, 90, 660, 7_560].map(formatTimeLeft)).toEqual(['1 s left', '40 s left', '2 min left', '11 min left', '2 h 06 min left']);
});
