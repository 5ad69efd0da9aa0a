import { call } from './call.ts';

/** Lets a film that failed be ingested again. Throws a `CallFailed` with the server's words where somebody else must act first. */
export async function retryVideo(id: string): Promise<void> {
  await call('retryVideo', { id });
}
