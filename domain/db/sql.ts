/** A statement with its values apart, as `pg` takes it, or a piece of one. */
export class Statement {
  /** One value stands between each two parts of the text. */
  readonly parts: readonly string[];
  readonly text: string;
  readonly values: unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.text = parts.reduce((text, part, n) => `${text}$${n}${part}`);
    this.values = [...values];
  }
}

/**
 * Tag for SQL text: every `${value}` becomes a numbered parameter, so no text is ever pasted into a statement. What the tag
 * itself made becomes part of the statement, with its values.
 */
export function sql(texts: TemplateStringsArray, ...values: unknown[]): Statement {
  const [first = '', ...rest] = texts;
  const parts = [first];
  const flat: unknown[] = [];
  rest.forEach((text, n) => {
    const value = values[n];
    const [opening, ...further] = value instanceof Statement ? value.parts : ['', ''];
    parts.push(`${parts.pop()}${opening}`, ...further);
    parts.push(`${parts.pop()}${text}`);
    flat.push(...(value instanceof Statement ? value.values : [value]));
  });
  return new Statement(parts, flat);
}
