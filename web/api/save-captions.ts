import { routes } from '#contract/routes.ts';
import { pageSettings } from '#web/page-settings.ts';
import { buildRequest } from './build-request.ts';
import { CallFailed, describeFailure } from './call-failed.ts';
import { videoToken, withToken } from './tokens.ts';

/** Saves what is said in a film, as it is corrected now, as a file of the visitor's device. Throws a `CallFailed`. */
export async function saveCaptions(id: string, format: 'vtt' | 'srt'): Promise<void> {
  const { videoServiceBase, location, accountId } = pageSettings;
  const ask = async (accessToken: string) => {
    const { path } = buildRequest(routes.captions, { location, account: accountId, id, format, accessToken });
    const answer = await fetch(videoServiceBase + path).catch((cause: unknown) => {
      throw new CallFailed('No connection to the archive. Try again when it is back.', { status: 0, code: 'offline', cause });
    });
    if (!answer.ok) throw describeFailure(answer.status, await answer.json().catch(() => undefined));
    return await answer.blob();
  };
  const address = URL.createObjectURL(await withToken(videoToken(id), ask));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${id}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
