import { queryOptions } from '@tanstack/react-query';
import type { Engines } from '#contract/steps.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

const lookEveryMs = 1_500;

/** What recognises things in films, and the models that can be fetched; asked for again while one is on its way. */
export const enginesQuery = queryOptions({
  queryKey: ['engines'],
  queryFn: ({ signal }) => call('listEngines', {}, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (isFetching(state.data) ? lookEveryMs : false),
});

function isFetching(engines: Engines | undefined): boolean {
  return engines?.models.some(({ state }) => state === 'asked' || state === 'fetching') ?? false;
}

/** Has films read again; returns how many. Throws a `CallFailed` with the server's words. */
export async function readAgain(engine: string): Promise<number> {
  const { films } = await call('readAgain', { engine });
  await queryClient.invalidateQueries({ queryKey: enginesQuery.queryKey });
  return films;
}

/** Hides rough speech or shows it again; returns in how many films. Throws a `CallFailed` with the server's words. */
export async function hideRoughSpeech(isHidden: boolean): Promise<number> {
  const { films } = await call('hideRoughSpeech', { isHidden });
  await queryClient.invalidateQueries({ queryKey: enginesQuery.queryKey });
  return films;
}

/** Turns recognising people across films on or off; returns how many films are looked at again. Throws a `CallFailed` with the server's words. */
export async function setRecognition(isOn: boolean): Promise<number> {
  const { films } = await call('setRecognition', { isOn });
  await queryClient.invalidateQueries({ queryKey: enginesQuery.queryKey });
  return films;
}

/** Has a model fetched. Throws a `CallFailed` with the server's words. */
export async function fetchModel(model: string): Promise<void> {
  await call('fetchModel', { model });
  await queryClient.invalidateQueries({ queryKey: enginesQuery.queryKey });
}

/** Has a fetched model removed, or one that is on its way fetched no further. Throws a `CallFailed` with the server's words. */
export async function letModelGo(model: string): Promise<void> {
  await call('letModelGo', { model });
  await queryClient.invalidateQueries({ queryKey: enginesQuery.queryKey });
}
