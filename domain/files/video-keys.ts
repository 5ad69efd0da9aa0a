/** Under which keys the files of one video are stored. */
export interface VideoKeys {
  /** Above all of them. */
  readonly all: string;
  readonly original: string;
  /** Playlists and segments. */
  readonly hls: string;
  readonly poster: string;
  /** The second that an editor chose to stand for the film. */
  readonly chosenPoster: string;
  /** Small frames every two seconds in one file, and where each begins. */
  readonly framePack: string;
  /** The still of each shot in one file, by the milliseconds at which it stands. */
  readonly shotPack: string;
  readonly storyboard: string;
  /** How the storyboard is cut. */
  readonly storyboardIndex: string;
  readonly captions: string;
  /** Captions that were read from picture subtitles, for a film that came with no others; earlier versions put them under `captions`. */
  readonly readCaptions: string;
  /** Captions that a recogniser wrote here, for a film that came with none. */
  readonly heardCaptions: string;
  /** A picture of each face that was found, by its mark. */
  readonly faces: string;
  /** What lay beside the footage when it was imported: subtitles, transcripts, and its facts. */
  readonly sidecars: string;
}

/** The keys of a video's files. Throws for what is no id, so that nothing else becomes a key. */
export function toVideoKeys(id: string): VideoKeys {
  if (!isVideoId(id)) throw new Error('not a video id');
  const all = `media/${id}`;
  return {
    all,
    original: `${all}/original`,
    hls: `${all}/hls`,
    poster: `${all}/poster.jpg`,
    chosenPoster: `${all}/poster-chosen.jpg`,
    framePack: `${all}/frames.pack`,
    shotPack: `${all}/shots.pack`,
    storyboard: `${all}/storyboard.jpg`,
    storyboardIndex: `${all}/storyboard.json`,
    captions: `${all}/captions.vtt`,
    readCaptions: `${all}/read.vtt`,
    heardCaptions: `${all}/heard.vtt`,
    faces: `${all}/faces`,
    sidecars: `${all}/sidecars`,
  };
}

/** Where the picture lies that stands for a video. */
export function toPosterKey({ id, posterMs }: { readonly id: string; readonly posterMs: number | null }): string {
  const { poster, chosenPoster } = toVideoKeys(id);
  return posterMs === null ? poster : chosenPoster;
}

/** Whether a text has the form of a video's id. */
export function isVideoId(text: string): boolean {
  return /^[0-9a-f]{10}$/.test(text);
}

/** The id in a key that `toVideoKeys` made. */
export function videoIdOfKey(key: string): string {
  return key.split('/')[1] ?? '';
}
