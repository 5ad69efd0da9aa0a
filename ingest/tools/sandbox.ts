import { createServer } from 'node:net';
import { runTool } from './run-tool.ts';

/** What a tool may use at most. */
export interface ToolLimits {
  /** Address space; undefined for a runtime that reserves far more than it uses. */
  readonly memoryBytes?: number;
  readonly cpuSeconds: number;
  readonly fileBytes: number;
}

/** How tools that read strangers' files are held on this machine. */
export interface Sandbox {
  /** The command line that runs `command` inside. */
  wrap(command: string, args: readonly string[], limits: ToolLimits): { command: string; args: string[] };
  /** Whether a child inside is unable to open a connection; tried out, not assumed. */
  readonly cutsNetwork: boolean;
}

const namespaces = [['unshare', '-n'], ['unshare', '-rn'], []];
const quickMs = 10_000;

/** Tries what this machine allows: a network namespace of its own, as root or as an ordinary user, and resource limits. */
export async function findSandbox(): Promise<Sandbox> {
  const namespace = (await firstThatWorks(namespaces)) ?? [];
  const tie = (await works(['setpriv', '--pdeathsig', 'KILL', 'true'])) ? ['setpriv', '--pdeathsig', 'KILL'] : [];
  const hasLimits = await works(['prlimit', '--cpu=5', 'true']);
  const inUserNamespace = namespace.includes('-rn');
  const wrap: Sandbox['wrap'] = (command, args, limits) => {
    const [first = command, ...rest] = [...namespace, ...tie, ...(hasLimits ? limitArgs(limits, inUserNamespace) : []), command, ...args];
    return { command: first, args: rest };
  };
  return { wrap, cutsNetwork: !(await reachesListener(wrap)) };
}

function limitArgs(limits: ToolLimits, inUserNamespace: boolean): string[] {
  return [
    'prlimit',
    ...(limits.memoryBytes ? [`--as=${limits.memoryBytes}`] : []),
    `--cpu=${Math.ceil(limits.cpuSeconds)}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    // Outside a user namespace the number would count every process of this user.
    ...(inUserNamespace ? ['--nproc=256'] : []),
  ];
}

/** Whether a child inside the sandbox can connect to a listener of ours on this machine. */
async function reachesListener(wrap: Sandbox['wrap']): Promise<boolean> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const script = `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
    const call = wrap(process.execPath, ['-e', script], { cpuSeconds: 10, fileBytes: 1_000_000 });
    return (await runTool({ ...call, timeoutMs: quickMs })).exitCode === 0;
  } finally {
    server.close();
  }
}

async function firstThatWorks(candidates: readonly string[][]): Promise<string[] | undefined> {
  for (const candidate of candidates) if (await works([...candidate, 'true'])) return candidate;
  return undefined;
}

async function works([command = 'true', ...args]: readonly string[]): Promise<boolean> {
  return await runTool({ command, args, timeoutMs: quickMs }).then(
    (result) => result.exitCode === 0,
    () => false,
  );
}
