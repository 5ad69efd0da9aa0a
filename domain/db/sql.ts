/** A statement with its values apart, as `pg` takes it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Tag for SQL text: every `${value}` becomes a numbered parameter, so no text is ever pasted into a statement. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  return { text: parts.reduce((text, part, n) => `${text}$${n}${part}`), values };
}
