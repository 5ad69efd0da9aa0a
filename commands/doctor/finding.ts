/** What the doctor found: what is so, and how to mend it. */
export interface Finding {
  /** `fault`: the archive does not start or loses something by it; `hint`: it works, and could do better. */
  readonly is: 'fault' | 'hint';
  /** Always the same for the same thing. */
  readonly about: string;
  readonly says: string;
  readonly whatToDo: string;
}

/** What keeps the archive from starting, or loses something. */
export function makeFault(about: string, says: string, whatToDo: string): Finding {
  return { is: 'fault', about, says, whatToDo };
}

/** What works, and could do better. */
export function makeHint(about: string, says: string, whatToDo: string): Finding {
  return { is: 'hint', about, says, whatToDo };
}
