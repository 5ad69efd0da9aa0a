import type { RawPicture } from './raw-pictures.ts';

/** A square of a picture, in its pixels; it may reach beyond the picture. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
  /** How far it is turned around its middle, in radians. */
  readonly turned?: number;
}

/** So many points a side are looked at for a pixel that covers more of them. */
const pointsMax = 4;

/**
 * Cuts a square out of a picture and draws it anew with `size` pixels a side: numbers from 0 to 255. What lies outside of the picture is
 * black. Where it becomes smaller, each pixel is the mean of points that it covers, else it lies between its four neighbours.
 */
export function cutSquare(picture: RawPicture, { left, top, side, turned = 0 }: Square, size: number): Float32Array {
  const cut = new Float32Array(size * size * 3);
  const step = side / size;
  const points = Math.min(pointsMax, Math.max(1, Math.round(step)));
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
  for (let at = 0; at < size * size; at++) {
    for (let n = 0; n < points * points; n++) {
      const along = ((at % size) + ((n % points) + 0.5) / points) * step - side / 2;
      const down = (Math.floor(at / size) + (Math.floor(n / points) + 0.5) / points) * step - side / 2;
      const x = left + side / 2 + along * cos - down * sin;
      const y = top + side / 2 + along * sin + down * cos;
      // One of several points stands for the pixel that it lies in; a single one lies between four.
      const reach = points > 1 ? 1 : 2;
      const [fromX, fromY] = points > 1 ? [Math.floor(x), Math.floor(y)] : [Math.floor(x - 0.5), Math.floor(y - 0.5)];
      const [shareX, shareY] = [x - 0.5 - fromX, y - 0.5 - fromY];
      for (let corner = 0; corner < reach * reach; corner++) {
        const [column, row] = [fromX + (corner & 1), fromY + (corner >> 1)];
        if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
        const share =
          reach === 1 ? 1 / points ** 2 : ((corner & 1) === 1 ? shareX : 1 - shareX) * (corner >> 1 === 1 ? shareY : 1 - shareY);
        const from = (row * picture.width + column) * 3;
        for (let colour = 0; colour < 3; colour++)
          cut[at * 3 + colour] = (cut[at * 3 + colour] ?? 0) + share * (picture.pixels[from + colour] ?? 0);
      }
    }
  }
  return cut;
}
