import type { KeyboardEvent } from 'react';
import { whenConnected } from '#web/ui/when-connected.ts';
import type { FoundMoment } from './results/found-moment.ts';

interface Cited {
  readonly video: { readonly id: string; readonly name: string };
  /** Without one the video as a whole is cited. */
  readonly moment?: FoundMoment;
}

/** `y` copies what has the focus as a citation. */
export function citeByKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { video, moment }: Cited): void {
  if (key !== 'y' || ctrlKey || metaKey || altKey) return;
  const isLine = moment?.kind === 'Transcript' || moment?.kind === 'Ocr';
  const cited = { video, seconds: moment?.seconds ?? null, line: isLine ? moment.text : null };
  void whenConnected(() => import('./text/copy-citation.ts')).then(({ copyCitation }) => copyCitation(cited));
}
