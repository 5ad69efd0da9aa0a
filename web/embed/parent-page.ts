import { inStorage } from '#web/ui/in-storage.ts';
import { type EmbedMessage, readEmbedMessage } from './embed-messages.ts';

/** The page that shows this frame. The frame-ancestors rule lets in our own origin only, so nothing is ever said to another. */
export interface ParentPage {
  say(message: EmbedMessage): void;
  listen(heard: (message: EmbedMessage) => void): () => void;
}

/** The page around a frame, as far as the two may speak; of a frame that stands alone there is none to hear. */
export function parentPage(frame: Window): ParentPage {
  const { origin } = frame.location;
  return {
    say: (message) => {
      if (frame.parent !== frame) frame.parent.postMessage({ ...message, origin }, origin);
    },
    listen: (heard) => {
      const onMessage = (event: MessageEvent) => {
        if (frame.parent === frame) return;
        const message = readEmbedMessage(event, { origin, source: frame.parent });
        if (message) heard(message);
      };
      frame.addEventListener('message', onMessage);
      return () => frame.removeEventListener('message', onMessage);
    },
  };
}

const themeKey = 'rushes-theme';

/** Keeps the frame in the theme of its page: told by message, by the choice stored on this origin, else by the system. */
export function followTheme(page: ParentPage): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const stored = storedTheme();
    document.documentElement.dataset.theme = stored ?? (system.matches ? 'dark' : 'light');
  };
  window.addEventListener('storage', (event) => {
    if (event.key === themeKey || event.key === null) apply();
  });
  system.addEventListener('change', apply);
  page.listen(({ theme }) => {
    if (theme) document.documentElement.dataset.theme = theme;
  });
}

function storedTheme(): 'light' | 'dark' | null {
  const stored = inStorage('localStorage', (storage) => storage.getItem(themeKey));
  return stored === 'light' || stored === 'dark' ? stored : null;
}
