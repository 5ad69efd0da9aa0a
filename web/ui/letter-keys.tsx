import { useId, useSyncExternalStore } from 'react';
import { inStorage } from './in-storage.ts';
import { createStore } from './store.ts';

const choiceKey = 'rushes-letter-keys';
type Choice = 'on' | 'off';
/** What was chosen in this page, where the browser keeps nothing. */
const unkept = createStore<Choice | null>(null);

/** Whether a key is a letter or a sign and those do nothing by themselves here, for somebody who speaks to their machine or hits keys by chance. */
export function isSilent(key: string): boolean {
  return key.length === 1 && key !== ' ' && areOff();
}

/**
 * The key in small letters, as shortcuts name them. Where a keyboard writes another alphabet, or a letter of its own, the place of the key
 * counts: K is the key that an English keyboard has there.
 */
export function keyNameOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const pressed = key.toLowerCase();
  const isOther = /^\p{L}\p{M}?$/u.test(pressed) && !/^[a-z]$/.test(pressed);
  return isOther ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? pressed) : pressed;
}

/** Whether a key belongs to a word that is still being composed, as Japanese and Chinese are typed; Safari says so by its number alone. */
export function isComposing({
  nativeEvent: { isComposing, keyCode },
}: {
  nativeEvent: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>;
}): boolean {
  return isComposing || keyCode === 229;
}

/** Whether letters and signs do nothing by themselves in this browser. */
export function useLettersOff(): boolean {
  return useSyncExternalStore(subscribe, areOff);
}

/** Letters and signs as keys, on or off in this browser. */
export function LetterKeysSwitch() {
  const isOff = useLettersOff();
  const id = useId();
  return (
    <div className="letter-keys">
      <p id={id}>
        <b>Single-letter keys</b> Turn them off if you speak to your device or press keys by accident. Search help is where they are turned
        on again.
      </p>
      <button
        type="button"
        className="switch"
        role="switch"
        aria-checked={!isOff}
        aria-label="Single-letter keys"
        aria-describedby={id}
        onClick={() => choose(isOff ? 'on' : 'off')}
      />
    </div>
  );
}

function choose(choice: Choice): void {
  const isKept = inStorage('localStorage', (storage) => {
    storage.setItem(choiceKey, choice);
    return true;
  });
  unkept.set(isKept ? null : choice);
}

/** Other pages and frames of this browser may choose as well. */
function subscribe(changed: () => void): () => void {
  const stop = unkept.subscribe(changed);
  addEventListener('storage', changed);
  return () => {
    stop();
    removeEventListener('storage', changed);
  };
}

function areOff(): boolean {
  return (unkept.read() ?? inStorage('localStorage', (storage) => storage.getItem(choiceKey))) === 'off';
}
