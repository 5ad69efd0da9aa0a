/** Why this server cannot start, in one line that says what the operator can do about it. */
export class StartFault extends Error {
  constructor(line: string, options: { cause?: unknown } = {}) {
    super(line, options);
    this.name = 'StartFault';
  }
}
