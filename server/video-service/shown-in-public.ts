import { toDisplayName } from '#contract/display-name.ts';
import { serverLimits } from '#contract/limits.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import type { Video } from '#domain/videos/video.ts';
import type { Config } from '../config.ts';

/** What a guest is told of a video without a search: its name, how long it is, how its description begins, and two addresses. */
export interface ShownInPublic {
  readonly name: string;
  readonly summary: string;
  readonly pageUrl: string;
  readonly posterUrl: string;
}

/** A processed video as feeds, previews of links and the suggestions of browsers may show it; addresses are whole ones. */
export function shownInPublic(video: Video, { publicUrl }: Config): ShownInPublic {
  const summary = [describeLength(video.durationInSeconds), video.description ?? ''].filter((part) => part !== '').join(' · ');
  return {
    name: toDisplayName(video.name),
    summary: cleanText(summary, serverLimits.summaryMaxCodePoints),
    pageUrl: `${publicUrl}/video/${video.id}`,
    posterUrl: `${publicUrl}/posters/${video.id}.jpg`,
  };
}

/** In whole minutes, as the cards say it; a film shorter than one is one. */
function describeLength(durationInSeconds: number): string {
  return durationInSeconds <= 0 ? '' : `${Math.max(1, Math.round(durationInSeconds / 60))} min`;
}
