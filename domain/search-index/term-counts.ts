/** Counts, video by video, how many videos hold each word. One look-up a word, for archives of many millions of words. */
export class TermCounts {
  readonly #terms = new Map<string, { videos: number; last: number }>();
  #video = 0;

  /** Takes in the texts of one video: words parted by blanks and line ends. */
  addVideo(texts: Iterable<string>): void {
    this.#video++;
    for (const text of texts) for (const term of text.replaceAll('\n', ' ').split(' ')) if (term !== '') this.#count(term);
  }

  /** Every word with the number of videos that hold it. */
  counts(): Map<string, number> {
    return new Map(Array.from(this.#terms, ([term, { videos }]) => [term, videos]));
  }

  #count(term: string): void {
    const known = this.#terms.get(term);
    if (!known) this.#terms.set(term, { videos: 1, last: this.#video });
    else if (known.last !== this.#video) {
      known.videos++;
      known.last = this.#video;
    }
  }
}
