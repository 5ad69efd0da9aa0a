import { inStorage } from '#web/ui/in-storage.ts';
import { createStore, type Store } from '#web/ui/store.ts';

interface CaptionsState {
  readonly isAvailable: boolean;
  readonly isShown: boolean;
  readonly text: string;
}

/** Captions as the deck draws them itself, so that found words can be marked in them. */
export interface Captions extends Store<CaptionsState> {
  /** Where there are none the choice stays as it is. */
  toggle(): void;
  /** Shows them unless the visitor has turned them off before. */
  suggest(): void;
}

const choiceKey = 'rushes-captions';

/** Makes the captions at `address`, if there are any, a store; shown or not is remembered in this browser. */
export function watchCaptions(video: HTMLVideoElement, address: string | null): Captions {
  const store = createStore<CaptionsState>({ isAvailable: false, isShown: readStoredChoice() === 'on', text: '' });
  if (address !== null) followTrack(video, address, store);
  const show = (isShown: boolean) => store.set({ ...store.read(), isShown });
  return {
    ...store,
    toggle: () => {
      const { isAvailable, isShown: wasShown } = store.read();
      if (!isAvailable) return;
      const isShown = !wasShown;
      storeChoice(isShown ? 'on' : 'off');
      show(isShown);
    },
    suggest: () => {
      if (readStoredChoice() === null) show(true);
    },
  };
}

function followTrack(video: HTMLVideoElement, address: string, store: ReturnType<typeof createStore<CaptionsState>>): void {
  const tell = (more: Partial<CaptionsState>) => store.set({ ...store.read(), ...more });
  const element = document.createElement('track');
  element.kind = 'captions';
  element.src = address;
  video.append(element);
  // Hidden, not disabled: the browser keeps the time and the deck draws.
  const { track } = element;
  track.mode = 'hidden';
  // On iPhones the player of the device has the film for itself, and draws what it is to show.
  video.addEventListener('webkitbeginfullscreen', () => {
    track.mode = store.read().isShown ? 'showing' : 'hidden';
  });
  video.addEventListener('webkitendfullscreen', () => {
    track.mode = 'hidden';
  });
  element.addEventListener('load', () => tell({ isAvailable: (track.cues?.length ?? 0) > 0 }));
  track.addEventListener('cuechange', () => tell({ text: textOf(track) }));
}

function textOf(track: TextTrack): string {
  const cues = Array.from(track.activeCues ?? []);
  return cues.map((cue) => (cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? '') : '')).join('\n');
}

function readStoredChoice(): string | null {
  return inStorage('localStorage', (storage) => storage.getItem(choiceKey)) ?? null;
}

function storeChoice(choice: 'on' | 'off'): void {
  inStorage('localStorage', (storage) => storage.setItem(choiceKey, choice));
}
