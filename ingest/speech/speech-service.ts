import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import { type HeardLine, Seconds, Share } from '#domain/transcripts/heard-line.ts';
import { parseWhisperJson } from '#domain/transcripts/whisper.ts';
import { linesOfWords, type SpokenWord } from '../analysis/spoken-lines.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import { StepFailure } from '../step-failure.ts';
import { readStretchAsWav } from './chunk-sound.ts';
import type { SpeechEngine } from './speech-engine.ts';
import type { SpeechService } from './speech-settings.ts';

/** How long one is waited for, and how often asked again. */
interface Patience {
  readonly answerWithinMs: number;
  /** Before each further try. */
  readonly waitsMs: readonly number[];
}

/** Ten megabytes at once: services take 25. */
const chunkSeconds = 5 * 60;
const patient: Patience = { answerWithinMs: serverLimits.speechServiceAnswer.withinMs, waitsMs: [2_000, 8_000, 30_000] };
const longestWaitMs = 60_000;
const { maxBytes, linesMax, wordMaxCharacters } = serverLimits.speechServiceAnswer;
const trust = 0.9;

/**
 * The service that the operator named: sound goes to its address and to no other. What it answers is read as a stranger's: limited in size,
 * and nothing of it counts that lies outside the sound.
 */
export function openSpeechService(service: SpeechService, patience = patient): SpeechEngine {
  const engine = {
    name: `Speech service at ${new URL(service.url).host}`,
    version: service.model,
    licence: null,
    source: service.url,
    goodAt: 'See its maker’s description; not measured here. The sound of videos is sent to it.',
    models: [],
  };
  const hear: SpeechEngine['hear'] = async (_context, { input, chunks }) => {
    const lines: HeardLine[] = [];
    for (const chunk of chunks) {
      const sound = await readStretchAsWav(input.path, chunk);
      const answer = await askPatiently(service, sound, { patience, signal: input.signal });
      lines.push(...linesOfAnswer(answer, chunk));
      input.onSecond?.(chunk[1] / 1_000);
    }
    return lines;
  };
  return { engine, trust, chunkSeconds, hear };
}

interface Asking {
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
}

async function askPatiently(service: SpeechService, sound: Buffer, { patience, signal }: Asking): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    const answer = await ask(service, sound, { patience, signal });
    if (answer.is === 'answer') return answer.json;
    const waitMs = patience.waitsMs[tries];
    if (waitMs === undefined) throw new StepFailure({ is: 'try-again' }, `The speech service ${answer.why}.`);
    await wait(Math.min(longestWaitMs, Math.max(waitMs, answer.afterMs ?? 0)), undefined, { signal });
  }
}

type Answer =
  | { readonly is: 'answer'; readonly json: unknown }
  /** Another try may do. */
  | { readonly is: 'nothing'; readonly why: string; readonly afterMs?: number };

async function ask({ url, key, model }: SpeechService, sound: Buffer, { patience, signal }: Asking): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(sound)], { type: 'audio/wav' }), 'sound.wav');
  form.append('model', model);
  form.append('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  const ended = AbortSignal.any([AbortSignal.timeout(patience.answerWithinMs), ...(signal ? [signal] : [])]);
  try {
    // Whoever sends us on to another address gets neither sound nor key.
    const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {});
    const response = await askOutside(url, { method: 'POST', body: form, headers, redirect: 'error', signal: ended });
    if (!response.ok) return refusalOf(response);
    const json = parseJson(await readLimitedText(response));
    return json === undefined ? { is: 'nothing', why: 'answered with invalid JSON' } : { is: 'answer', json };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof StepFailure) throw error;
    const why = ended.aborted ? 'did not answer in time' : `could not be reached: ${errorMessageOf(error)}`;
    return { is: 'nothing', why };
  }
}

/** What may pass by itself is worth another try; what is wrong with the settings is the operator's. Throws for those. */
function refusalOf(response: Response): Answer {
  const { status } = response;
  void response.body?.cancel();
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(response.headers.get('retry-after') ?? '');
    return { is: 'nothing', why: `answered ${status}`, ...(seconds > 0 ? { afterMs: seconds * 1_000 } : {}) };
  }
  const hint = status === 401 || status === 403 ? 'RUSHES_SPEECH_KEY' : 'RUSHES_SPEECH_URL and RUSHES_SPEECH_MODEL';
  throw new StepFailure({ is: 'tool-missing' }, `The speech service rejects the request (${status}): check ${hint}.`);
}

async function readLimitedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error('its answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const Words = z.object({
  words: z.array(
    z
      .object({ word: z.string().max(wordMaxCharacters), start: Seconds, end: Seconds, probability: Share })
      .or(z.null())
      .catch(null),
  ),
});

/** What an answer says of a chunk, on the clock of the whole sound. Throws a StepFailure where it says nothing that can be read. */
function linesOfAnswer(json: unknown, [startMs, endMs]: Stretch): HeardLine[] {
  const speech = parseWhisperJson(json);
  const told = Words.safeParse(json).data?.words.filter((word) => word !== null) ?? [];
  if (!speech && told.length === 0)
    throw new StepFailure({ is: 'try-again' }, 'The speech service answered without times: it must support verbose_json.');
  const words = told.map(({ word, probability, ...times }): SpokenWord => ({ ...times, text: word.trim(), confidence: probability }));
  const seconds = (endMs - startMs) / 1_000;
  const lines = speech?.entries.slice(0, linesMax).flatMap((entry) => speech.Line.safeParse(entry).data ?? []) ?? [];
  const timed = words.length > 0 && lines.every((line) => line.words.length === 0) ? linesOfWords(words.slice(0, linesMax * 20)) : lines;
  return timed.filter(({ start, end }) => start < seconds && end >= start).map((line) => moveLine(line, startMs / 1_000, seconds));
}

function moveLine(line: HeardLine, offset: number, seconds: number): HeardLine {
  const at = (second: number) => offset + Math.min(second, seconds);
  const words = line.words.map((word) => (word.start === undefined ? word : { ...word, start: at(word.start) }));
  return { ...line, start: at(line.start), end: at(line.end), words };
}
