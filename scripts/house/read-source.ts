import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** The folders whose files are the product itself. */
const areas = ['contract', 'domain', 'server', 'ingest', 'commands', 'web'];

/** What a measure wants to know of one file. Paths stand as in the repository. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** Where every function begins, and how many lines of it hold code. */
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
  /** What the functions of the file's own level are called, and where. */
  readonly named: readonly { readonly name: string; readonly line: number }[];
  /** Where an effect of React is asked for, by line. */
  readonly effects: readonly number[];
  /** Where a type is claimed that the compiler does not see, by line; `as const` claims nothing. */
  readonly casts: readonly number[];
  /** The files of the areas that it imports, types and late imports too. */
  readonly imports: readonly string[];
}

/** Reads every TypeScript file of the areas below `root` that is neither a test nor a declaration. Throws on what cannot be parsed. */
export function readSource(root: string): SourceFile[] {
  const paths = areas.filter((area) => existsSync(join(root, area))).flatMap((area) => filesBelow(root, area));
  const known = new Set(paths);
  return paths.map((path) => readFile(path, readFileSync(join(root, path), 'utf8'), known));
}

function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length));
  return paths.filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path)).sort();
}

function readFile(path: string, text: string, known: ReadonlySet<string>): SourceFile {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const lineAt = linesOf(text);
  const codeLines = codeLinesOf(text, comments);
  const functions: { line: number; lines: number }[] = [];
  const [effects, casts]: [number[], number[]] = [[], []];
  const measure = ({ start, end, body }: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    if (body) functions.push({ line: lineAt(start), lines: codeLines(lineAt(start), lineAt(end)) });
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    CallExpression: ({ callee, start }) => {
      if (callee.type === 'Identifier' && /^use\w*Effect$/.test(callee.name)) effects.push(lineAt(start));
    },
    TSAsExpression: ({ start, end }) => {
      if (!/\sas\s+const$/.test(text.slice(start, end))) casts.push(lineAt(start));
    },
    TSTypeAssertion: ({ start }) => void casts.push(lineAt(start)),
    TSNonNullExpression: ({ start }) => void casts.push(lineAt(start)),
  }).visit(program);
  const named = program.body.flatMap(namedIn).map(({ name, start }) => ({ name, line: lineAt(start) }));
  const asked = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  const imports = [...new Set(asked.map((request) => pathOf(request, path)))].filter((other) => known.has(other));
  return { path, lines: text.split('\n').length - 1, functions, named, effects, casts, imports };
}

function namedIn(statement: ESTree.Program['body'][number]): { name: string; start: number }[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type === 'FunctionDeclaration') return declared.id ? [declared.id] : [];
  if (declared?.type !== 'VariableDeclaration') return [];
  return declared.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression') ? [id] : [],
  );
}

/** How many lines from one to another hold more than blanks and comments. */
function codeLinesOf(text: string, comments: readonly { start: number; end: number }[]): (first: number, last: number) => number {
  let code = text;
  for (const { start, end } of comments) code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  const lines = code.split('\n');
  return (first, last) => lines.slice(first - 1, last).filter((line) => line.trim() !== '').length;
}

function pathOf(request: string, from: string): string {
  return request.startsWith('#') ? request.slice(1) : join(dirname(from), request);
}

function linesOf(text: string): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index);
  return (offset) => {
    const line = ends.findIndex((end) => end >= offset);
    return (line < 0 ? ends.length : line) + 1;
  };
}
