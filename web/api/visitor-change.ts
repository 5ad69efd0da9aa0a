let visitor: string | null = null;

/** Notes who is at this page: null for a guest. */
export function visitorIs(uid: string | null): void {
  visitor = uid;
}

/** The id of whoever is signed in at this page; null for a guest, and until it is known. */
export function currentVisitor(): string | null {
  return visitor;
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
