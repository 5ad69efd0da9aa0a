import { isMatchKind } from '#contract/match-kinds.ts';
import type { MarkedMoment } from './marked-moment.ts';
import { type Outline, readOutlines } from './outline.ts';
import { type Command, readCommand } from './player/shortcuts.ts';

/**
 * The words that the page and its two frames post to one another. The first eight are the video service's own;
 * `title`, `spokenIn`, `found`, `shots`, `speech`, `range`, `outlined`, `accessToken`, `expired`, `theme`, `tab`, `search` and `command` are ours.
 */
export interface EmbedMessage {
  /** Seek there. */
  time?: number;
  /** Where playback is. */
  currentTime?: number;
  play?: true;
  pause?: true;
  language?: string;
  loaded?: true;
  played?: true;
  paused?: true;
  /** What the film is called and which language is spoken in it, from the page to the player. */
  title?: string;
  spokenIn?: string;
  /** What the insights have found inside the video, so that the player's ticks are theirs. */
  found?: readonly MarkedMoment[];
  /** The seconds at which shots begin, in order, from the insights. */
  shots?: readonly number[];
  /** The seconds at which somebody begins to speak and ends, by turns, from the insights. */
  speech?: readonly number[];
  /** From where to where somebody asks for the film, in seconds, from the page to the player; none where nobody does. */
  range?: readonly number[];
  /** Written texts that somebody points at in the insights, for the player to outline; none when they point at nothing. */
  outlined?: readonly Outline[];
  /** A fresh video token, from the page to a frame. */
  accessToken?: string;
  /** The frame's token is no longer taken; it waits for a fresh one. */
  expired?: true;
  theme?: 'light' | 'dark';
  /** Somebody chose this tab of the insights. */
  tab?: 'insights' | 'timeline';
  /** What stands in the search of the insights. */
  search?: string;
  /** What a key asks for that was pressed in another document. */
  command?: Command;
}

interface Sender {
  readonly origin: string;
  readonly source: unknown;
}

/** The message of an event that truly comes from this sender, else null. Words unknown or with a wrong value are dropped. */
export function readEmbedMessage(event: Pick<MessageEvent, 'origin' | 'source' | 'data'>, sender: Sender): EmbedMessage | null {
  if (event.origin !== sender.origin || sender.source === null || event.source !== sender.source) return null;
  if (typeof event.data !== 'object' || event.data === null) return null;
  const message = readWords(event.data);
  return Object.keys(message).length > 0 ? message : null;
}

function readWords(data: object): EmbedMessage {
  const message: EmbedMessage = {};
  for (const word of ['time', 'currentTime'] as const) {
    const seconds: unknown = Reflect.get(data, word);
    if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0) message[word] = seconds;
  }
  for (const word of ['play', 'pause', 'loaded', 'played', 'paused', 'expired'] as const) {
    if (Reflect.get(data, word) === true) message[word] = true;
  }
  for (const word of ['language', 'accessToken', 'title', 'spokenIn', 'search'] as const) {
    const text: unknown = Reflect.get(data, word);
    if (typeof text === 'string') message[word] = text;
  }
  const theme: unknown = Reflect.get(data, 'theme');
  if (theme === 'light' || theme === 'dark') message.theme = theme;
  const tab = readTab(Reflect.get(data, 'tab'));
  if (tab) message.tab = tab;
  const found = readMarkedMoments(Reflect.get(data, 'found'));
  if (found) message.found = found;
  for (const word of ['shots', 'speech', 'range'] as const) {
    const seconds: unknown = Reflect.get(data, word);
    if (Array.isArray(seconds) && seconds.every((second) => Number.isFinite(second) && second >= 0)) message[word] = seconds;
  }
  const outlined = readOutlines(Reflect.get(data, 'outlined'));
  if (outlined) message.outlined = outlined;
  const command = readCommand(Reflect.get(data, 'command'));
  if (command) message.command = command;
  return message;
}

/** The moments that another document says were found; undefined when it says nothing of the kind. */
function readMarkedMoments(said: unknown): readonly MarkedMoment[] | undefined {
  return Array.isArray(said) && said.every(isMarkedMoment) ? said : undefined;
}

function isMarkedMoment(said: unknown): said is MarkedMoment {
  if (typeof said !== 'object' || said === null) return false;
  const [id, kind, text, seconds, lines, ranges]: unknown[] = ['id', 'kind', 'text', 'startInSeconds', 'lines', 'ranges'].map((name) =>
    Reflect.get(said, name),
  );
  const areNumbers = (list: unknown) => Array.isArray(list) && list.every(Number.isFinite);
  if (typeof id !== 'string' || typeof text !== 'string' || typeof kind !== 'string' || !isMatchKind(kind)) return false;
  return Number.isFinite(seconds) && areNumbers(lines) && Array.isArray(ranges) && ranges.every(areNumbers);
}

/** A tab of the insights; null for anything else. */
export function readTab(named: unknown): 'insights' | 'timeline' | null {
  return named === 'timeline' || named === 'insights' ? named : null;
}
