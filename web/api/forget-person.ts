const forgetting = new Set<() => void>();

/** Has forgotten, when somebody else signs in at this page, what it kept for the person before. */
export function forgetWithPerson(forget: () => void): void {
  forgetting.add(forget);
}

/** Forgets all of that. */
export function forgetPerson(): void {
  for (const forget of forgetting) forget();
}
