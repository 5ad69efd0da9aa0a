import { serverLimits } from '#contract/limits.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Who says it: what answers requests, what works on films, what writes the index, and what starts and watches the others. */
type Role = 'web' | 'ingest' | 'index' | 'start';

/** One JSON line per event on standard error; JSON escapes every control character, so no text can forge a line. */
export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>;

/** A log that writes events of `lowest` and above. Every process of the archive has one: it is the only shape of their lines. */
export function createLog(role: Role, lowest: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(lowest)) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level, process: role, event, ...fields }, toLogged)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** What a sentence of the log is about. */
interface About {
  /** `warn` where it is not said. */
  readonly level?: LogLevel;
  /** Where a child ends without a line of its own: who it was. */
  readonly process?: Role;
  readonly video?: string;
  readonly step?: string;
  readonly error?: unknown;
}

/** Says a sentence: a line of the log, or of a terminal. */
export type Say = (sentence: string, about?: About) => void;

/** Sentences as lines of a log. */
export function sayTo(log: Log): Say {
  return (sentence, { level = 'warn', ...about } = {}) => log[level](sentence, about);
}

/** Has this process end with one line where nobody caught an error; and what Node.js warns of is a line as well. */
export function logCrashes(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('crashed', { error });
    process.exit(1);
  });
  // Without its own listener Node.js prints nothing.
  process.removeAllListeners('warning').on('warning', (warning) => log.warn('Node.js warns', { error: warning }));
}

/** What a library or a tool says of its trouble may hold what opens a door, or what somebody looked for. */
const neverLogged: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '(token)'],
  [/\b(Bearer|Basic)\s+[^\s"',]+/gi, '$1 (token)'],
  [/(:\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:(password)@'],
  [/\b(\w*(?:token|secret|password|signature|api_?key|access_?key))(["']?\s*[=:]\s*["']?)[^\s"'&,;)]+/gi, '$1$2(secret)'],
  // The query of an address holds tokens and searches.
  [/(\/[^\s?"']*)\?[^\s"']+/g, '$1?(query)'],
];

function toLogged(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  if (typeof value !== 'string') return value;
  const short = value.length > serverLimits.logTextMaxCharacters ? `${value.slice(0, serverLimits.logTextMaxCharacters)}…` : value;
  return neverLogged.reduce((text, [secret, sign]) => text.replace(secret, sign), short.toWellFormed());
}
