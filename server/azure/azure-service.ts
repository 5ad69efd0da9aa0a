/*
 * Films that lie in an account of Azure AI Video Indexer instead of here. ask-azure turns its answers into ours.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Problem } from '#contract/problem.ts';
import type { SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';
import { AzureAnswer, AzureIndex, AzureRefusal, askAzure, readAnswer, readAzureAnswer, readAzureIndex } from './ask-azure.ts';
import type { AzureSettings, Principal } from './azure-settings.ts';

/** The account of Azure AI Video Indexer that has the films. What it is asked with stays here. */
export interface AzureService {
  /** Films that answer, or all of them, with the ids of their pictures by films. */
  search(asked: SearchRequest): Promise<FoundInAzure>;
  index(videoId: string): Promise<ReturnType<typeof readAzureIndex>>;
  /** A picture of a film as JPEG: its poster for everybody, any other for who may watch it. */
  picture(asked: { videoId: string; thumbnailId: string; mayWatch: boolean }): Promise<Buffer>;
  /** What opens the player and the insights of one film, and nothing else. */
  widgetToken(videoId: string): Promise<string>;
}

interface Clock {
  now(): number;
}

interface FoundInAzure {
  readonly answer: SearchAnswer;
  readonly pictures: ReadonlyMap<string, string>;
}

const postersMax = 50_000;
const picturesMaxBytes = 64_000_000;

/** Opens the service; `clock` tells milliseconds, by which tokens are cached. */
export function openAzureService(settings: AzureSettings, clock: Clock = performance): AzureService {
  const { apiBase, location, accountId } = settings;
  const tokens = openAzureTokens(settings, clock);
  const posters = new LRUCache<string, string>({ max: postersMax });
  const pictureCache = new LRUCache<string, Buffer>({ maxSize: picturesMaxBytes, sizeCalculation: (bytes) => bytes.length || 1 });

  const ask = async (path: string, query = new URLSearchParams()): Promise<Response> => {
    const url = new URL(`/${location}/Accounts/${accountId}/Videos${path}?${query}`, apiBase);
    const token = await tokens.account();
    const withToken = (one: string) => askAzure(url, { headers: { authorization: `Bearer ${one}` } });
    return await withToken(token).catch(async (reason: unknown) => {
      if (!(reason instanceof AzureRefusal)) throw reason;
      return await withToken(await tokens.accountAnew(token));
    });
  };

  const search = async (asked: SearchRequest): Promise<FoundInAzure> => {
    const answered = await ask(asked.allStates ? '' : '/Search', searchQuery(asked));
    const found = readAzureAnswer(await readAnswer(answered, async (answer) => AzureAnswer.parse(await answer.json())), asked);
    for (const [id, thumbnailId] of found.pictures) posters.set(id, thumbnailId);
    return found;
  };

  const posterOf = async (videoId: string): Promise<string | undefined> => {
    if (!posters.has(videoId)) await search({ query: [], ids: [videoId], skip: 0, pageSize: 1, purpose: 'results' });
    return posters.get(videoId);
  };

  return {
    search: (asked) => translateRefusal(search(asked)),
    index: (videoId) =>
      translateRefusal(
        (async () => {
          const query = new URLSearchParams({ includeStreamingUrls: 'false', includeSummarizedInsights: 'false' });
          const answered = await ask(`/${idInPath(videoId)}/Index`, query);
          return readAzureIndex(await readAnswer(answered, async (answer) => AzureIndex.parse(await answer.json())));
        })(),
      ),
    picture: (asked) => translateRefusal(pictureOf(asked)),
    widgetToken: (videoId) => translateRefusal(tokens.video(videoId)),
  };

  async function pictureOf({ videoId, thumbnailId, mayWatch }: Parameters<AzureService['picture']>[0]): Promise<Buffer> {
    // The service has the faces of people under addresses of the same kind.
    if (!mayWatch && (await posterOf(videoId)) !== thumbnailId) throw new Problem('not_found', 'There is no such thumbnail.');
    const key = `${videoId}/${thumbnailId}`;
    const known = pictureCache.get(key);
    if (known) return known;
    const answer = await ask(`/${idInPath(videoId)}/Thumbnails/${idInPath(thumbnailId)}`);
    const bytes = await readAnswer(answer, async (picture) => Buffer.from(await picture.arrayBuffer()));
    pictureCache.set(key, bytes);
    return bytes;
  }
}

/**
 * An id as part of a path. What a visitor sends may be empty or `..`, which would make the address that of the account: throws a Problem for
 * whatever is no id.
 */
function idInPath(id: string): string {
  if (!/^[0-9A-Za-z][0-9A-Za-z-]+$/.test(id)) throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no such video.');
  return id;
}

/** What is wrong with the archive's own credentials is nothing that a visitor can mend. */
async function translateRefusal<T>(asked: Promise<T>): Promise<T> {
  return await asked.catch((reason: unknown) => {
    if (!(reason instanceof AzureRefusal)) throw reason;
    throw new Problem('unavailable', 'The video service rejects this archive’s credentials. Ask an administrator to check them.', {
      cause: reason,
    });
  });
}

/** A search in the words of the service's interface. */
function searchQuery({
  query,
  ids,
  externalIds,
  faces,
  owners,
  textScope,
  createdAfter,
  createdBefore,
  createdUntil = createdBefore,
  ...page
}: SearchRequest): URLSearchParams {
  const asked = new URLSearchParams({ pageSize: String(page.pageSize), skip: String(page.skip) });
  const all = {
    query: query.filter((text) => text.trim() !== ''),
    id: ids,
    externalId: externalIds,
    face: faces,
    owner: owners,
    textScope,
  };
  for (const [name, values] of Object.entries(all)) for (const value of values ?? []) asked.append(name, value);
  if (createdAfter) asked.set('createdAfter', createdAfter.toISOString());
  if (createdUntil) asked.set('createdBefore', createdUntil.toISOString());
  if (page.allStates) return asked;
  asked.set('privacy', 'Private');
  asked.set('state', 'Processed');
  asked.set('language', 'English');
  return asked;
}

/** What opens the account, and single films of it. All tokens only read. */
interface AzureTokens {
  /** Opens every film of the account: it never leaves the server. */
  account(): Promise<string>;
  /** Opens one film, for somebody who may watch it. */
  video(id: string): Promise<string>;
  /** One for the account other than this, which was refused before its hour was over. */
  accountAnew(refused: string): Promise<string>;
}

/** Tokens hold for an hour. That of a film is given away, to frames that keep it: whoever gets it has most of its hour. */
const cachedMs = { account: 55 * 60_000, film: 5 * 60_000 };
const tokensMax = 2_000;

// A bare text, or an object, by which of the two ways it was asked for.
const Token = z.union([z.string(), z.object({ accessToken: z.string() }).transform(({ accessToken }) => accessToken)]);

async function readToken(answer: Response): Promise<string> {
  return Token.parse(await answer.json());
}

/** Asks for tokens, and caches them while they hold. */
function openAzureTokens(settings: AzureSettings, clock: Clock): AzureTokens {
  const tokens = new LRUCache<string, Promise<string>>({ max: tokensMax, ttl: cachedMs.film, ttlResolution: 0, perf: clock });
  const mint = settings.credentials.by === 'key' ? mintByKey(settings, settings.credentials.key) : mintByPrincipal(settings.credentials);
  const read = (scope: Scope): Promise<string> => {
    const name = scope === 'account' ? scope : `film ${scope.videoId}`;
    const known = tokens.get(name);
    if (known) return known;
    const minted = mint(scope);
    tokens.set(name, minted, { ttl: scope === 'account' ? cachedMs.account : cachedMs.film });
    minted.catch(() => tokens.peek(name) === minted && tokens.delete(name));
    return minted;
  };
  return {
    account: () => read('account'),
    video: async (id) => await read({ videoId: idInPath(id) }),
    accountAnew: async (refused) => {
      const known = read('account');
      if ((await known) !== refused) return await known;
      if (tokens.peek('account') === known) tokens.delete('account');
      return await read('account');
    },
  };
}

/** What a token opens. */
type Scope = 'account' | { readonly videoId: string };
type Mint = (scope: Scope) => Promise<string>;

function mintByKey({ apiBase, location, accountId }: AzureSettings, key: string): Mint {
  return async (scope) => {
    const film = scope === 'account' ? '' : `/Videos/${scope.videoId}`;
    const url = new URL(`/Auth/${location}/Accounts/${accountId}${film}/AccessToken?allowEdit=false`, apiBase);
    return await readAnswer(await askAzure(url, { headers: { 'ocp-apim-subscription-key': key } }), readToken);
  };
}

const Login = z.object({ access_token: z.string(), expires_in: z.number() });
/** The version of the management's interface. */
const apiVersion = '2025-04-01';

function mintByPrincipal(principal: Principal): Mint {
  const logIn = openLogin(principal);
  return async (scope) => {
    const url = new URL(`${principal.account}/generateAccessToken?api-version=${apiVersion}`, principal.managementBase);
    const opens = scope === 'account' ? { scope: 'Account' } : { scope: 'Video', ...scope };
    const answer = await askAzure(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await logIn()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ permissionType: 'Reader', ...opens }),
    });
    return await readAnswer(answer, readToken);
  };
}

const soonMs = 5 * 60_000;

/** Logs in as the principal, and again shortly before that ends. */
function openLogin({ loginBase, tenant, clientId, clientSecret, managementBase }: Principal): () => Promise<string> {
  let known: { readonly token: Promise<string>; until: number } | undefined;
  const logIn = async (): Promise<string> => {
    const url = new URL(`/${encodeURIComponent(tenant)}/oauth2/v2.0/token`, loginBase);
    const asked = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${managementBase}/.default`,
    };
    const answer = await askAzure(url, { method: 'POST', body: new URLSearchParams(asked) });
    const { access_token, expires_in } = await readAnswer(answer, async (login) => Login.parse(await login.json()));
    if (known) known.until = Date.now() + expires_in * 1_000 - soonMs;
    return access_token;
  };
  return () => {
    if (!known || known.until < Date.now()) {
      const mine = { token: logIn(), until: Number.POSITIVE_INFINITY };
      known = mine;
      mine.token.catch(() => {
        if (known === mine) known = undefined;
      });
    }
    return known.token;
  };
}
