// What a decoder that somebody has taken over would try: to reach each goal of its argument, or to take memory without end.
// Run in the place of a decoder, it prints which walls it came through.
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [, , order = ''] = process.argv;
if (order === 'memory') takeMemory();
else process.stdout.write(JSON.stringify({ reached: await reachedOf(JSON.parse(order)) }));

async function reachedOf({ files, sockets, network }) {
  const reached = [];
  if (files.some(canRead)) reached.push('files');
  if (await anyConnects(sockets.map((path) => ({ path })))) reached.push('sockets');
  if (await anyConnects(network.map((port) => ({ host: '127.0.0.1', port })))) reached.push('network');
  if (seesOthers()) reached.push('processes');
  return reached;
}

function canRead(path) {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

async function anyConnects(addresses) {
  const tried = addresses.map(
    (address) =>
      new Promise((resolve) => {
        const socket = connect(address)
          .on('connect', () => resolve(true))
          .on('error', () => resolve(false));
        socket.setTimeout(5_000, () => resolve(false)).unref();
      }),
  );
  return (await Promise.all(tried)).includes(true);
}

/** In a process namespace of its own it has no parent and, with a /proc at all, few neighbours. */
function seesOthers() {
  if (process.ppid !== 0) return true;
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length > 3;
  } catch {
    return false;
  }
}

/** A little at a time, so that whoever looks now and then gets to see it. */
function takeMemory() {
  const taken = [];
  const more = () => {
    taken.push(Buffer.alloc(16 * 1024 ** 2, 1));
    if (taken.length < 64) setTimeout(more, 10);
  };
  more();
}
