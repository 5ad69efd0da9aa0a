import { type EmbedMessage, readEmbedMessage } from './embed-messages.ts';

/** The page that shows this frame. The frame-ancestors rule lets in our own origin only, so nothing is ever said to another. */
export interface ParentPage {
  say(message: EmbedMessage): void;
  listen(heard: (message: EmbedMessage) => void): () => void;
}

/** The page around a frame, as far as the two may speak; of a frame that stands alone there is none to hear. */
export function parentPageOf(frame: Window): ParentPage {
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
