const levels = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];

/** One JSON line per event on standard error; JSON escapes every control character, so no text can forge a line. */
export type Log = Record<Level, (event: string, fields?: Record<string, unknown>) => void>;

/** A log that writes events of `lowest` and above. */
export function createLog(lowest: Level, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (level: Level) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (levels.indexOf(level) < levels.indexOf(lowest)) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }, describeErrors)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause } : value;
}
