import { useStore } from '../use-store.ts';
import { Controls } from './controls.tsx';
import type { Deck } from './deck.ts';
import { Picture } from './picture.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Timeline } from './timeline.tsx';

/** The deck: picture, film strip, controls. Dark in both themes. */
export function Player({ deck }: { deck: Deck }) {
  const { status } = useStore(deck.playback);
  // Without a film there is nothing to handle.
  const isIdle = status === 'absent' || status === 'denied';
  return (
    <main data-theme="dark" aria-label="Player">
      <h1 className="sr-only">Player</h1>
      <section className="deck" aria-label="Player">
        <Picture deck={deck} />
        <div className="desk" inert={isIdle}>
          <Timeline deck={deck} />
          <Controls deck={deck} />
        </div>
      </section>
      <ShortcutHelp />
    </main>
  );
}
