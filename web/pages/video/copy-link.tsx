import { useState } from 'react';
import { formatTimeCode } from '#web/embed/time-code.ts';
import { type Store, useStore } from '#web/embed/use-store.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

const shownForMs = 6_000;

/** Copies the address of this video at the second that plays. */
export function CopyLink({ videoId, clock }: { videoId: string; clock: Store<number> }) {
  const seconds = Math.floor(useStore(clock));
  const [said, setSaid] = useState('');
  const say = (sentence: string) => {
    setSaid(sentence);
    window.setTimeout(() => setSaid(''), shownForMs);
  };
  const copy = () => {
    const address = new URL(paths.video(videoId, { seconds }), window.location.href).href;
    // There is no clipboard on plain http beyond this machine.
    if (!navigator.clipboard) return say(`Copying is not possible here. The link is ${address}`);
    navigator.clipboard.writeText(address).then(
      () => say('Link copied'),
      () => say('The link was not copied. Try again.'),
    );
  };
  return (
    <>
      <Button look="outline" onClick={copy}>
        <Icon name="link" size={16} />
        Copy link at <span className="tc">{formatTimeCode(seconds)}</span>
      </Button>
      <p className={said === '' ? 'sr-only' : 'toast'} role="status">
        {said}
      </p>
    </>
  );
}
