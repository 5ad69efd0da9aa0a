import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { copyText } from '#web/ui/copy-text.tsx';
import { wordCitation } from './cite.ts';

interface Cited {
  readonly video: { readonly id: string; readonly name: string };
  /** Null for the video as a whole. */
  readonly seconds: number | null;
  /** What is said or written at that second; null where nothing is. */
  readonly line: string | null;
}

/** Copies a moment, or a video as a whole, as a citation, and says so. */
export async function copyCitation({ video: { id, name: title }, seconds, line }: Cited): Promise<void> {
  const link = new URL(paths.video(id, seconds === null ? {} : { seconds }), window.location.href).href;
  await copyText('Citation', wordCitation({ line, title, seconds, archive: pageSettings.archive.name, link }));
}
