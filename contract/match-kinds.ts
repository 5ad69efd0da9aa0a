/**
 * The kinds of a match: its value on the wire, its wording in the icon key, and its lucide icon.
 * The wire values are the video service's own (`SearchMatch.type`).
 */
export const matchKinds = {
  Transcript: { wording: 'Spoken text', icon: 'audio-lines', inKey: true },
  Ocr: { wording: 'Written text', icon: 'scan-text', inKey: true },
  Title: { wording: 'Title', icon: 'type', inKey: true },
  Face: { wording: 'Person', icon: 'user-round', inKey: true },
  Annotations: { wording: 'Label', icon: 'tag', inKey: true },
  Brand: { wording: 'Brand', icon: 'stamp', inKey: true },
  Owner: { wording: 'Owner', icon: 'id-card', inKey: false },
} as const;

export type MatchKind = keyof typeof matchKinds;

/** Kinds that another video service may answer with, and the kind whose icon and wording they borrow. */
const borrowed = new Map<string, MatchKind>([
  ['Description', 'Title'],
  ['Topic', 'Annotations'],
  ['NamedPerson', 'Face'],
  ['AnimatedCharacters', 'Face'],
  ['NamedLocation', 'Annotations'],
]);

/** Whether a word is one of the kinds. */
export function isMatchKind(type: string): type is MatchKind {
  return Object.hasOwn(matchKinds, type);
}

/** The kind to show for a wire value; an unknown one is shown as a label, never an error. */
export function matchKindOf(type: string): MatchKind {
  if (isMatchKind(type)) return type;
  return borrowed.get(type) ?? 'Annotations';
}
