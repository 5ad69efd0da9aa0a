/*
 * What every process needs of the machine below it and knows nothing of the archive by: errors and their names, the log,
 * exit codes, and files that outlive a power cut.
 */

/** Why something cannot go on, in a sentence for the operator that says what happened and what to do; printed as it is. */
export class OperatorFault extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'OperatorFault';
  }
}
