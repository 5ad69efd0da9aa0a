const key = 'rushes-waiting-address';

/** Keeps the address that a sign-in link was sent to, until the link comes back to this browser. */
export function keepWaitingAddress(email: string): void {
  inStorage((storage) => storage.setItem(key, email));
}

/** The address that this browser waits for a link to; empty when there is none. */
export function readWaitingAddress(): string {
  return inStorage((storage) => storage.getItem(key)) ?? '';
}

export function forgetWaitingAddress(): void {
  inStorage((storage) => storage.removeItem(key));
}

/** A browser may refuse to keep anything; then the address is asked for, as on another device. */
function inStorage<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(window.localStorage);
  } catch {
    return undefined;
  }
}
