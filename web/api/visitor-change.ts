const forgetting = new Set<() => void>();

/** Has forgotten, when somebody else signs in at this page, what it kept for the visitor before. */
export function onOtherVisitor(forget: () => void): void {
  forgetting.add(forget);
}

/** Forgets all of that. */
export function otherVisitorCame(): void {
  for (const forget of forgetting) forget();
}
