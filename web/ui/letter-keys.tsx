import { useId, useState } from 'react';
import { inStorage } from './in-storage.ts';

const choiceKey = 'rushes-letter-keys';

/** Whether a key is a letter or a sign and those do nothing by themselves here, for somebody who speaks to their machine or hits keys by chance. */
export function isSilent(key: string): boolean {
  return key.length === 1 && key !== ' ' && areOff();
}

/** Letters and signs as keys, on or off in this browser. */
export function LetterKeysSwitch() {
  const [isOn, setOn] = useState(!areOff());
  const id = useId();
  const turn = () => {
    inStorage('localStorage', (storage) => storage.setItem(choiceKey, isOn ? 'off' : 'on'));
    setOn(!areOff());
  };
  return (
    <div className="letter-keys">
      <p id={id}>
        <b>Single-letter keys</b> Turn them off if you speak to your device or press keys by accident. This switch stands in Search help and
        in the player’s list of keys.
      </p>
      <button
        type="button"
        className="switch"
        role="switch"
        aria-checked={isOn}
        aria-label="Single-letter keys"
        aria-describedby={id}
        onClick={turn}
      />
    </div>
  );
}

function areOff(): boolean {
  return inStorage('localStorage', (storage) => storage.getItem(choiceKey)) === 'off';
}
