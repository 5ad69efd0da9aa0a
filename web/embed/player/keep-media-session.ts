import { CallFailed } from '#web/api/call-failed.ts';
import { renewMediaSession } from '#web/api/media.ts';
import type { ParentPage } from '../parent-page.ts';
import type { PlaybackFault } from './playback.ts';

interface SessionHooks {
  onRenewed(): void;
  onFault(fault: PlaybackFault): void;
}

const answerWithinMs = 15_000;
const suspiciousWithinMs = 10_000;

/**
 * Keeps the stream cookie valid: with each token that the page posts (every 59 minutes), and by asking for one
 * when the server has turned the cookie away, for instance after the machine slept.
 */
export function keepMediaSession(videoId: string, page: ParentPage, hooks: SessionHooks): { ask(): void } {
  let waiting: number | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const stopWaiting = () => {
    window.clearTimeout(waiting);
    waiting = undefined;
  };

  const renew = async (token: string) => {
    try {
      await renewMediaSession(videoId, token);
      renewedAt = performance.now();
      if (waiting !== undefined) hooks.onRenewed();
    } catch (reason) {
      const status = reason instanceof CallFailed ? reason.status : 0;
      // While the present cookie still works, a failed renewal does not stop the film.
      if (waiting !== undefined) hooks.onFault(status === 401 || status === 403 || status === 404 ? 'denied' : 'failed');
    }
    stopWaiting();
  };
  page.listen(({ accessToken }) => {
    if (accessToken !== undefined) renew(accessToken);
  });

  return {
    ask: () => {
      if (waiting !== undefined) return;
      // Turned away right after a renewal: it is the visitor that is not let in, not the cookie's age.
      if (performance.now() - renewedAt < suspiciousWithinMs) return hooks.onFault('denied');
      waiting = window.setTimeout(() => {
        stopWaiting();
        hooks.onFault('failed');
      }, answerWithinMs);
      page.say({ expired: true });
    },
  };
}
