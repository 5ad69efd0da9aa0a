/** Undefined until it is known. */
let visitor: string | null | undefined;
const held = new Set<() => void>();

/** Notes who is at this page: null for a guest. */
export function visitorIs(uid: string | null): void {
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
export function currentVisitor(): string | null {
  return visitor ?? null;
}

const forgetting = new Set<() => void>();

/** Has forgotten, when somebody else signs in at this page, what it kept for the visitor before. */
export function onOtherVisitor(forget: () => void): void {
  forgetting.add(forget);
}

/** Forgets all of that. */
export function otherVisitorCame(): void {
  for (const forget of forgetting) forget();
}
