/** Linear light. In an ink `a` says how much of what lies beneath it is covered. */
export type Colour = { r: number; g: number; b: number };

/** Reads `#rrggbb` and scales it: lamps are brighter than paper white. */
export function colour(hex: string, strength = 1): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return { r: linear(value >> 16) * strength, g: linear((value >> 8) & 255) * strength, b: linear(value & 255) * strength };
}

/** The colour between two others; 0 is the first. */
export function blend(first: Colour, second: Colour, share: number): Colour {
  return {
    r: first.r + (second.r - first.r) * share,
    g: first.g + (second.g - first.g) * share,
    b: first.b + (second.b - first.b) * share,
  };
}

export function scaled(light: Colour, strength: number): Colour {
  return { r: light.r * strength, g: light.g * strength, b: light.b * strength };
}

function linear(byte: number): number {
  return (byte / 255) ** 2.2;
}
