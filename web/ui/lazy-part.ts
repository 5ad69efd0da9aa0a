import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { whenConnected } from './when-connected.ts';

/** A component of a part of the page that is loaded when it is first shown. Without a connection that waits until it is back. */
export function makeLazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await whenConnected(load) }));
}
