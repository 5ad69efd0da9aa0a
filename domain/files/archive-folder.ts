import { join, resolve } from 'node:path';

/** Where everything of one archive lies below its data folder. Every path is made of ids of our own, never of a user's name. */
export interface ArchiveFolder {
  readonly root: string;
  /** Files on their way in, `{uuid}`. */
  readonly stage: string;
  /** Scratch of running jobs, `{video}-{step}`. */
  readonly work: string;
  /** The search index. */
  readonly index: string;
  /** Everything of one video: original, renditions, stills, captions. */
  video(id: string): VideoFolder;
}

export interface VideoFolder {
  readonly root: string;
  readonly original: string;
  /** Playlists and segments. */
  readonly hls: string;
  readonly poster: string;
  /** Small frames every two seconds in one file, and where each begins. */
  readonly framePack: string;
  readonly storyboard: string;
  /** How the storyboard is cut. */
  readonly storyboardIndex: string;
  readonly captions: string;
  /** What lay beside the footage when it was imported: subtitles, transcripts, and its facts. */
  readonly sidecars: string;
}

/** Where an archive keeps everything below its data folder. `video` throws for what is no id, so that nothing else becomes a path. */
export function archiveFolder(dataFolder: string): ArchiveFolder {
  const root = resolve(dataFolder);
  return {
    root,
    stage: join(root, 'stage'),
    work: join(root, 'work'),
    index: join(root, 'index'),
    video: (id) => {
      if (!/^[0-9a-f]{10}$/.test(id)) throw new Error('not a video id');
      // Two levels keep folders small with a hundred thousand videos.
      const folder = join(root, 'media', id.slice(0, 2), id);
      return {
        root: folder,
        original: join(folder, 'original'),
        hls: join(folder, 'hls'),
        poster: join(folder, 'poster.jpg'),
        framePack: join(folder, 'frames.pack'),
        storyboard: join(folder, 'storyboard.jpg'),
        storyboardIndex: join(folder, 'storyboard.json'),
        captions: join(folder, 'captions.vtt'),
        sidecars: join(folder, 'sidecars'),
      };
    },
  };
}
