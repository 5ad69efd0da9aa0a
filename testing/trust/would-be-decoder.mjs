// Run in the place of a decoder: tries everything that one in a stranger's hands would want, and prints what it reached, one name a line.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const { archive, socket, port, film, workerPid } = JSON.parse(process.argv[2] ?? '');

const goals = {
  'secrets.json': () => readFileSync(`${archive}/secrets.json`),
  'secrets.json by /proc': () => readFileSync(`/proc/${workerPid}/root${archive}/secrets.json`),
  'another film': () => readFileSync(`${archive}/media/aa/another/original`),
  'the folder of films': () => readdirSync(`${archive}/media/aa`).includes('another') || refuse(),
  'to write into its film': () => appendFileSync(film, 'x'),
  'to write beside its film': () => writeFileSync(`${archive}/secrets.json`, 'x'),
  'settings of the worker': () => process.env.RUSHES_TEST_SECRET ?? refuse(),
  'settings by /proc': () => readFileSync(`/proc/${workerPid}/environ`),
  'a signal to the worker': () => (process.ppid === 0 ? refuse() : process.kill(workerPid, 0)),
  'the names of users': () => readFileSync('/etc/passwd'),
  'the database': () => connected({ path: socket }),
  'a listener on this machine': () => connected({ host: '127.0.0.1', port }),
  'names of the network': () => connected({ host: '127.0.0.53', port: 53 }),
};

for (const [name, reach] of Object.entries(goals)) {
  try {
    await reach();
    process.stdout.write(`${name}\n`);
  } catch {
    // Kept from it.
  }
}

function connected(address) {
  return new Promise((resolve, reject) => {
    const attempt = connect(address, () => resolve(attempt.destroy())).on('error', reject);
    attempt.setTimeout(5_000, () => reject(attempt.destroy()));
  });
}

function refuse() {
  throw new Error('not there');
}
