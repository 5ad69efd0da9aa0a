import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { films } from './films/films.ts';
import { makeContactSheet } from './make-contact-sheet.ts';
import { makeFilm } from './make-film.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    sheets: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../samples', import.meta.url)) },
  },
});

const wanted = films.filter((film) => film.title.startsWith(options.only ?? ''));
if (wanted.length === 0) {
  console.error(`No sample film has a title that begins with "${options.only}". The films: ${films.map((film) => film.title).join(', ')}.`);
  process.exit(1);
}

const folder = options.sheets ?? options.out;
await mkdir(folder, { recursive: true });
for (const film of wanted) {
  const made = options.sheets ? await makeContactSheet(film, folder) : await makeFilm(film, folder);
  console.log(made);
}
