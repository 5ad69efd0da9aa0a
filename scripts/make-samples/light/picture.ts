/** One frame as linear light. Places are given in heights: v runs from 0 at the top to 1, u from 0 to `aspect`. */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly aspect: number;
  readonly light: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.aspect = width / height;
    this.light = new Float32Array(width * height * 3);
  }
}
