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
    this.#inputs.push(valueInfo(name, type, dimensions));
    return name;
  }

  weights({ shape, values }: Weights): string {
    const name = `w${this.#count++}`;
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const type = values instanceof Float32Array ? types.float : values instanceof Int8Array ? types.int8 : types.int64;
    this.#weights.push(message(...shape.map((size) => varint(1, size)), varint(2, type), text(8, name), field(9, [bytes])));
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
      message(
        ...inputs.map((name) => text(1, name)),
        ...names.map((name) => text(2, name)),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => field(5, attribute(name, value))),
      ),
    );
    return names;
  }

  /** The bytes of the whole model, which answers `output`. */
  bytes(output: { readonly name: string; readonly dimensions: readonly string[] }): Buffer {
    const graph = message(
      ...this.#nodes.map((node) => field(1, node)),
      text(2, 'model'),
      ...this.#weights.map((weights) => field(5, weights)),
      ...this.#inputs.map((input) => field(11, input)),
      field(12, valueInfo(output.name, 'float', output.dimensions)),
    );
    const formatVersion = 8;
    const operatorsVersion = 17;
    const model = message(varint(1, formatVersion), field(7, graph), field(8, message(text(1, ''), varint(2, operatorsVersion))));
    return Buffer.concat(model);
  }
}

function valueInfo(name: string, type: keyof typeof types, dimensions: readonly string[]): Bytes {
  const shape = message(...dimensions.map((dimension) => field(1, message(text(2, dimension)))));
  return message(text(1, name), field(2, message(field(1, message(varint(1, types[type]), field(2, shape))))));
}

function attribute(name: string, value: Attribute): Bytes {
  const kinds = { float: 1, integer: 2, integers: 7 };
  if (typeof value !== 'number') return message(text(1, name), ...value.map((one) => varint(8, one)), varint(20, kinds.integers));
  if (Number.isInteger(value)) return message(text(1, name), varint(3, value), varint(20, kinds.integer));
  const float = Buffer.alloc(5);
  float.writeUInt8((2 << 3) | 5);
  float.writeFloatLE(value, 1);
  return message(text(1, name), [float], varint(20, kinds.float));
}

/** Pieces, one behind the other: megabytes of weights lie within messages within messages, and are copied once, at the end. */
type Bytes = readonly Buffer[];

function message(...fields: readonly Bytes[]): Bytes {
  return fields.flat();
}

function text(number: number, value: string): Bytes {
  return field(number, [Buffer.from(value)]);
}

function field(number: number, bytes: Bytes): Bytes {
  const length = bytes.reduce((sum, piece) => sum + piece.length, 0);
  return [digits((number << 3) | 2), digits(length), ...bytes];
}

function varint(number: number, value: number): Bytes {
  return [digits(number << 3), digits(value)];
}

/** A whole number in groups of seven bits, the last group first; negative ones in 64 bits. */
function digits(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Buffer.from([...bytes, Number(left)]);
}
