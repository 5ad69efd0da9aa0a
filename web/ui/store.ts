import { useSyncExternalStore } from 'react';

/** Something outside React that changes and says so. */
export interface Store<T> {
  read(): T;
  subscribe(changed: () => void): () => void;
}

/** The present value, drawn anew whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.read);
}

/** A value with listeners, for the few things that live outside a component. */
export function createStore<T>(first: T): Store<T> & { set(next: T): void } {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    read: () => value,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
  };
}
