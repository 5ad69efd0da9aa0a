import { inStorage } from '#web/ui/in-storage.ts';
import { createStore, type Store } from '../use-store.ts';

interface CaptionsState {
  readonly isAvailable: boolean;
  readonly isShown: boolean;
  readonly text: string;
}

/** Captions as the deck draws them itself, so that found words can be marked in them. */
export interface Captions extends Store<CaptionsState> {
  toggle(): void;
  /** Shows them unless the visitor has turned them off before. */
  suggest(): void;
}

const choiceKey = 'rushes-captions';

/** Makes the captions at `address`, if there are any, a store; shown or not is remembered in this browser. */
export function watchCaptions(video: HTMLVideoElement, address: string | null): Captions {
  const store = createStore<CaptionsState>({ isAvailable: false, isShown: storedChoice() === 'on', text: '' });
  if (address !== null) followTrack(video, address, (more) => store.set({ ...store.read(), ...more }));
  const show = (isShown: boolean) => store.set({ ...store.read(), isShown });
  return {
    ...store,
    toggle: () => {
      const isShown = !store.read().isShown;
      storeChoice(isShown ? 'on' : 'off');
      show(isShown);
    },
    suggest: () => {
      if (storedChoice() === null) show(true);
    },
  };
}

function followTrack(video: HTMLVideoElement, address: string, tell: (more: Partial<CaptionsState>) => void): void {
  const element = document.createElement('track');
  element.kind = 'captions';
  element.src = address;
  video.append(element);
  // Hidden, not disabled: the browser keeps the time and the deck draws.
  element.track.mode = 'hidden';
  element.addEventListener('load', () => tell({ isAvailable: (element.track.cues?.length ?? 0) > 0 }));
  element.track.addEventListener('cuechange', () => tell({ text: textOf(element.track) }));
}

function textOf(track: TextTrack): string {
  const cues = Array.from(track.activeCues ?? []);
  return cues.map((cue) => (cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? '') : '')).join('\n');
}

function storedChoice(): string | null {
  return inStorage('localStorage', (storage) => storage.getItem(choiceKey)) ?? null;
}

function storeChoice(choice: 'on' | 'off'): void {
  inStorage('localStorage', (storage) => storage.setItem(choiceKey, choice));
}
