import type { KeyboardEvent } from 'react';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { copyText } from '#web/ui/copy-text.tsx';
import { isSilent, keyNameOf } from '#web/ui/letter-keys.tsx';
import { whenConnected } from '#web/ui/when-connected.ts';
import type { FoundMoment } from './found-moment.ts';

interface CitedVideo {
  readonly id: string;
  readonly name: string;
}

interface Cited {
  readonly video: CitedVideo;
  /** Without one the video as a whole is cited. */
  readonly moment?: FoundMoment;
}

/** `y` copies what has the focus as a citation. */
export function citeByKey({ key, code, ctrlKey, metaKey, altKey }: KeyboardEvent, { video, moment }: Cited): void {
  if (keyNameOf({ key, code }) !== 'y' || ctrlKey || metaKey || altKey || isSilent(key)) return;
  const isLine = moment?.kind === 'Transcript' || moment?.kind === 'Ocr';
  void cite(video, { seconds: moment?.seconds ?? null, line: isLine ? moment.text : null });
}

/**
 * Copies a moment, or with `seconds` null a video as a whole, as a citation, and says so; `line` is what is said or written there. What
 * words a citation is loaded when somebody first cites.
 */
export async function cite(
  { id, name: title }: CitedVideo,
  { seconds, line }: { seconds: number | null; line: string | null },
): Promise<void> {
  const { writeCitation } = await whenConnected(() => import('../text/cite.ts'));
  const link = new URL(paths.video(id, seconds === null ? {} : { seconds }), window.location.href).href;
  await copyText('Citation', writeCitation({ line, title, seconds, archive: pageSettings.archive.name, link }));
}
