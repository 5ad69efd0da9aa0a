import type { Table } from '@lancedb/lancedb';
import { SearchTurn } from '../turns/search-turn.ts';

/**
 * Where the records of films stand, by the heads of the main table: 16 bytes a film. Later versions of the table only lose rows until
 * it is joined with the recent one: what is known of it holds as long.
 */
export class FilmPlaces {
  /** Of the films, by their ids as numbers, in order. */
  #ids = new Float64Array(0);
  #places = new Float64Array(0);
  #reading: Promise<void> | undefined;

  /** Reads the places of all films of the table, the first time that it is called. */
  read(heads: Table): Promise<void> {
    this.#reading ??= this.#readAll(heads).catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  /** Where the head of a film stands, in bytes; undefined when the table has none. A film that has left the table since may still have its place. */
  find(id: string): number | undefined {
    const number = idNumber(id);
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === number ? this.#places[low] : undefined;
  }

  async #readAll(heads: Table): Promise<void> {
    const rows = await heads.query().select(['video', 'place']).toArrow();
    const [video, place] = [rows.getChild('video'), rows.getChild('place')];
    const places = new Map<number, number>();
    const turn = new SearchTurn();
    for (let n = 0; n < rows.numRows; n++) {
      places.set(idNumber(String(video?.get(n))), Number(place?.get(n)));
      if (turn.isOver) await turn.next();
    }
    this.#ids = Float64Array.from(places.keys()).sort();
    this.#places = this.#ids.map((id) => places.get(id) ?? Number.NaN);
  }
}

/** Ten hexadecimal digits fit into a number. */
function idNumber(id: string): number {
  return Number.parseInt(id, 16);
}
