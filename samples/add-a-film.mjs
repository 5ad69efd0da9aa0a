// Adds a film to an archive, waits until it can be watched and searched, and prints what was found in it: by the contract of the video
// service alone, so it runs against that service as well. A key is made on the account page; the address of the archive stands beside it.
//
//   RUSHES_KEY=rushes_… node samples/add-a-film.mjs http://localhost:4141/trial/Accounts/… film.mp4 "Harbour at dusk"
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [address, file, name = basename(file ?? '')] = process.argv.slice(2);
const key = process.env.RUSHES_KEY;
if (!address || !file || !key) throw new Error('RUSHES_KEY=… node samples/add-a-film.mjs ADDRESS FILE [NAME]');
const { origin, pathname: account } = new URL(address);

/** A token lasts an hour, and a long film may take longer: it is asked for anew with every call. */
async function call(path, init = {}) {
  const headers = { 'Ocp-Apim-Subscription-Key': key };
  const token = await answerOf(await fetch(`${origin}/Auth${account}/AccessToken?allowEdit=true`, { headers }));
  return await answerOf(await fetch(`${origin}${account}/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } }));
}

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${answer.ErrorType}: ${answer.Message}`);
  return answer;
}

const body = new FormData();
body.set('file', await openAsBlob(file), basename(file));
let film = await call(`Videos?${new URLSearchParams({ name })}`, { method: 'POST', body });
while (film.state === 'Uploaded' || film.state === 'Processing') {
  await wait(5_000);
  film = await call(`Videos/${film.id}/Index`);
}
const [{ failureMessage, insights }] = film.videos ?? (await call(`Videos/${film.id}/Index`)).videos;
if (film.state !== 'Processed') throw new Error(`The film was not taken: ${failureMessage}`);
console.info(`${film.id} ${film.name}, ${insights.duration}`);
for (const { text, instances } of insights.transcript ?? []) console.info(`${instances[0].start} ${text}`);
