import { FilterAPI } from 'node-av/api';

const turns: Record<number, string[]> = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] };

/** A filter chain that sets the film's own start to zero, turns the picture upright, and goes on with `filters`. */
export function makePictureChain(picture: { startSeconds: number; rotation: number }, filters: readonly string[]): FilterAPI {
  const start = picture.startSeconds === 0 ? [] : [`setpts=PTS-${picture.startSeconds}/TB`];
  // A turned picture must not carry the order to turn it.
  const chain = [...start, ...(turns[picture.rotation] ?? []), 'sidedata=mode=delete:type=DISPLAYMATRIX', ...filters];
  return FilterAPI.create(chain.join(','), { threads: 1 });
}
