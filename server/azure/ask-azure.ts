import { Problem } from '#contract/problem.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

const answersWithinMs = 20_000;
const tryAgainSeconds = 30;

/** Thrown where the token or the credentials that came along are not taken. */
export class AzureRefusal extends Error {
  constructor(host: string, status: number) {
    super(`${host} answered ${status}: it does not take what was sent to open it`);
    this.name = 'AzureRefusal';
  }
}

/**
 * Asks a service of Azure. Throws AzureRefusal for 401 and 403, and a Problem for whatever else is no answer: what is not there, too many
 * calls, and a service that does not answer in time.
 */
export async function askAzure(url: URL, request: RequestInit = {}): Promise<Response> {
  const away = (cause: unknown) => {
    throw new Problem('unavailable', 'The video service does not answer. Try again in a moment.', {
      retryAfterSeconds: tryAgainSeconds,
      cause,
    });
  };
  const answer = await askOutside(url, { redirect: 'error', ...request, signal: AbortSignal.timeout(answersWithinMs) }).catch(away);
  if (answer.ok) return answer;
  // Its words may name accounts and addresses.
  await answer.body?.cancel();
  switch (answer.status) {
    case 401:
    case 403:
      throw new AzureRefusal(url.host, answer.status);
    case 400:
      throw new Problem('invalid_parameter', 'The video service does not understand this request.');
    case 404:
    case 410:
      throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no such video.');
    case 429: {
      const retryAfterSeconds = Number(answer.headers.get('retry-after')) || tryAgainSeconds;
      throw new Problem('rate_limited', 'The video service has been asked too much. Try again in a moment.', { retryAfterSeconds });
    }
    default:
      return away(`${url.host} answered ${answer.status}`);
  }
}
