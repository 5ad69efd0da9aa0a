/** A tensor of a model that does not change. */
export interface Weights {
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array | Int8Array;
}

type Attribute = number | readonly number[];

/** The type of a model's input or output, by its number in ONNX. */
const types = { float: 1, int8: 3, int64: 7 };

/**
 * Writes a model down in the format of ONNX, operator by operator. The few messages of that format that are needed are written by hand, as
 * the format is small and fixed; what it means stands at https://onnx.ai/onnx/repo-docs/IR.html.
 */
export class OnnxModel {
  readonly #nodes: Bytes[] = [];
  readonly #weights: Bytes[] = [];
  readonly #inputs: Bytes[] = [];
  #count = 0;

  input(name: string, type: keyof typeof types, dimensions: readonly string[]): string {
    this.#inputs.push(encodeValueInfo(name, type, dimensions));
    return name;
  }

  weights({ shape, values }: Weights): string {
    const name = `w${this.#count++}`;
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const type = values instanceof Float32Array ? types.float : values instanceof Int8Array ? types.int8 : types.int64;
    this.#weights.push(
      encodeMessage(...shape.map((size) => encodeVarint(1, size)), encodeVarint(2, type), encodeText(8, name), encodeField(9, [bytes])),
    );
    return name;
  }

  number(value: number): string {
    return this.weights({ shape: [], values: new Float32Array([value]) });
  }

  /** Whole numbers that an operator takes as an input: a shape, axes. */
  integers(...values: readonly number[]): string {
    return this.weights({ shape: [values.length], values: new BigInt64Array(values.map(BigInt)) });
  }

  /** Adds an operator, and returns the name of what comes out of it. */
  add(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.addSeveral(operator, inputs, { outputs: 1, attributes })[0] ?? '';
  }

  addSeveral(
    operator: string,
    inputs: readonly string[],
    { outputs, attributes = {} }: { outputs: number; attributes?: Readonly<Record<string, Attribute>> },
  ): string[] {
    const names = Array.from({ length: outputs }, () => `v${this.#count++}`);
    this.#nodes.push(
      encodeMessage(
        ...inputs.map((name) => encodeText(1, name)),
        ...names.map((name) => encodeText(2, name)),
        encodeText(4, operator),
        ...Object.entries(attributes).map(([name, value]) => encodeField(5, encodeAttribute(name, value))),
      ),
    );
    return names;
  }

  /** The bytes of the whole model, which answers `output`. */
  bytes(output: { readonly name: string; readonly dimensions: readonly string[] }): Buffer {
    const graph = encodeMessage(
      ...this.#nodes.map((node) => encodeField(1, node)),
      encodeText(2, 'model'),
      ...this.#weights.map((weights) => encodeField(5, weights)),
      ...this.#inputs.map((input) => encodeField(11, input)),
      encodeField(12, encodeValueInfo(output.name, 'float', output.dimensions)),
    );
    const formatVersion = 8;
    const operatorsVersion = 17;
    const model = encodeMessage(
      encodeVarint(1, formatVersion),
      encodeField(7, graph),
      encodeField(8, encodeMessage(encodeText(1, ''), encodeVarint(2, operatorsVersion))),
    );
    return Buffer.concat(model);
  }
}

function encodeValueInfo(name: string, type: keyof typeof types, dimensions: readonly string[]): Bytes {
  const shape = encodeMessage(...dimensions.map((dimension) => encodeField(1, encodeMessage(encodeText(2, dimension)))));
  return encodeMessage(
    encodeText(1, name),
    encodeField(2, encodeMessage(encodeField(1, encodeMessage(encodeVarint(1, types[type]), encodeField(2, shape))))),
  );
}

function encodeAttribute(name: string, value: Attribute): Bytes {
  const kinds = { float: 1, integer: 2, integers: 7 };
  if (typeof value !== 'number')
    return encodeMessage(encodeText(1, name), ...value.map((one) => encodeVarint(8, one)), encodeVarint(20, kinds.integers));
  if (Number.isInteger(value)) return encodeMessage(encodeText(1, name), encodeVarint(3, value), encodeVarint(20, kinds.integer));
  const float = Buffer.alloc(5);
  float.writeUInt8((2 << 3) | 5);
  float.writeFloatLE(value, 1);
  return encodeMessage(encodeText(1, name), [float], encodeVarint(20, kinds.float));
}

/** Pieces, one behind the other: megabytes of weights lie within messages within messages, and are copied once, at the end. */
type Bytes = readonly Buffer[];

function encodeMessage(...fields: readonly Bytes[]): Bytes {
  return fields.flat();
}

function encodeText(number: number, value: string): Bytes {
  return encodeField(number, [Buffer.from(value)]);
}

function encodeField(number: number, bytes: Bytes): Bytes {
  const length = bytes.reduce((sum, piece) => sum + piece.length, 0);
  return [encodeDigits((number << 3) | 2), encodeDigits(length), ...bytes];
}

function encodeVarint(number: number, value: number): Bytes {
  return [encodeDigits(number << 3), encodeDigits(value)];
}

/** A whole number in groups of seven bits, the last group first; negative ones in 64 bits. */
function encodeDigits(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Buffer.from([...bytes, Number(left)]);
}
