/** Undefined until it is known. */
let visitor: string | null | undefined;
const held = new Set<() => void>();

/** Notes who is at this page: null for a guest. */
export function noteVisitor(uid: string | null): void {
  visitor = uid;
  for (const act of held) act();
  held.clear();
}

/** Does what depends on who is at this page: at once, or as soon as that is known. */
export function onceVisitorKnown(act: () => void): void {
  if (visitor === undefined) held.add(act);
  else act();
}

/** The id of whoever is signed in at this page; null for a guest, and until it is known. */
export function readCurrentVisitor(): string | null {
  return visitor ?? null;
}

const forgetting = new Set<() => void>();

/** Has forgotten, when somebody else signs in at this page, what it kept for the visitor before. */
export function forgetOnOtherVisitor(forget: () => void): void {
  forgetting.add(forget);
}

/** Forgets all of that. */
export function forgetLastVisitor(): void {
  for (const forget of forgetting) forget();
}
