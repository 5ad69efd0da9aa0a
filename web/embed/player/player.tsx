import { IconButton } from '#web/ui/icon-button.tsx';
import { useStore } from '../use-store.ts';
import { Controls } from './controls.tsx';
import type { Deck } from './deck.ts';
import { Picture } from './picture.tsx';
import { shortcutHelp } from './shortcuts.ts';
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

/** The list under `?`. */
function ShortcutHelp() {
  return (
    <dialog id="shortcut-help" className="keys" aria-labelledby="shortcut-help-title">
      <header>
        <h2 id="shortcut-help-title">Keys</h2>
        <form method="dialog">
          <IconButton icon="x" label="Close" type="submit" />
        </form>
      </header>
      <dl>
        {shortcutHelp.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className="keycap">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
