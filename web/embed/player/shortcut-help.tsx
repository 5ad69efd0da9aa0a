import { IconButton } from '#web/ui/icon-button.tsx';
import { shortcutHelp } from './shortcuts.ts';

/** The list under `?`. */
export function ShortcutHelp() {
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
