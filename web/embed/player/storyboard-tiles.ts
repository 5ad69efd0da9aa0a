import type { Storyboard } from '#contract/storyboard.ts';

interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** How a box shows the still of a second: the whole storyboard as its background, moved and scaled so that one tile covers the box. */
export function tileAt(storyboard: Storyboard, seconds: number, box: Box): { backgroundSize: string; backgroundPosition: string } {
  const { tileWidth, tileHeight, columns, rows, count, intervalSeconds } = storyboard;
  const tile = Math.min(Math.max(0, Math.round(seconds / intervalSeconds)), count - 1);
  const scale = Math.max(box.widthPx / tileWidth, box.heightPx / tileHeight);
  const left = (tile % columns) * tileWidth * scale + (tileWidth * scale - box.widthPx) / 2;
  const top = Math.floor(tile / columns) * tileHeight * scale + (tileHeight * scale - box.heightPx) / 2;
  return {
    backgroundSize: `${round(columns * tileWidth * scale)}px ${round(rows * tileHeight * scale)}px`,
    backgroundPosition: `${round(-left)}px ${round(-top)}px`,
  };
}

/** The seconds whose stills fill a strip side by side, each about as wide as a whole still of that height. */
export function stripSeconds(storyboard: Storyboard, strip: Box, durationInSeconds: number): number[] {
  const stillWidth = Math.max(24, (strip.heightPx * storyboard.tileWidth) / storyboard.tileHeight);
  const cells = Math.max(1, Math.round(strip.widthPx / stillWidth));
  return Array.from({ length: cells }, (_, cell) => ((cell + 0.5) / cells) * durationInSeconds);
}

function round(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}
