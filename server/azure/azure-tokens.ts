import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { askAzure } from './ask-azure.ts';
import type { AzureSettings, Principal } from './azure-settings.ts';

/** What opens the account, and single films of it. All tokens only read. */
export interface AzureTokens {
  /** Opens every film of the account: it never leaves the server. */
  account(): Promise<string>;
  /** Opens one film, for somebody who may watch it. */
  video(id: string): Promise<string>;
  /** One for the account other than this, which was refused before its hour was over. */
  accountAnew(refused: string): Promise<string>;
}

/** Tokens hold for an hour. */
const keptMs = 55 * 60_000;
const keptMax = 2_000;

// A bare text, or an object, by which of the two ways it was asked for.
const Token = z.union([z.string(), z.object({ accessToken: z.string() }).transform(({ accessToken }) => accessToken)]);

/** Asks for tokens, and keeps them while they hold. */
export function openAzureTokens(settings: AzureSettings): AzureTokens {
  const tokens = new LRUCache<string, Promise<string>>({ max: keptMax, ttl: keptMs });
  const mint = settings.credentials.by === 'key' ? mintByKey(settings, settings.credentials.key) : mintByPrincipal(settings.credentials);
  const read = (videoId: string): Promise<string> => {
    const known = tokens.get(videoId);
    if (known) return known;
    const minted = mint(videoId);
    tokens.set(videoId, minted);
    minted.catch(() => tokens.peek(videoId) === minted && tokens.delete(videoId));
    return minted;
  };
  return {
    account: () => read(''),
    video: read,
    accountAnew: async (refused) => {
      const known = read('');
      if ((await known) !== refused) return await known;
      if (tokens.peek('') === known) tokens.delete('');
      return await read('');
    },
  };
}

/** Mints a token for one film; for the account where its id is empty. */
type Mint = (videoId: string) => Promise<string>;

function mintByKey({ apiBase, location, accountId }: AzureSettings, key: string): Mint {
  return async (videoId) => {
    const film = videoId === '' ? '' : `/Videos/${encodeURIComponent(videoId)}`;
    const url = new URL(`/Auth/${location}/Accounts/${accountId}${film}/AccessToken?allowEdit=false`, apiBase);
    return Token.parse(await (await askAzure(url, { headers: { 'ocp-apim-subscription-key': key } })).json());
  };
}

const Login = z.object({ access_token: z.string(), expires_in: z.number() });
/** The version of the management's interface. */
const apiVersion = '2025-04-01';

function mintByPrincipal(principal: Principal): Mint {
  const logIn = openLogin(principal);
  return async (videoId) => {
    const url = new URL(`${principal.account}/generateAccessToken?api-version=${apiVersion}`, principal.managementBase);
    const scope = videoId === '' ? { scope: 'Account' } : { scope: 'Video', videoId };
    const answer = await askAzure(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await logIn()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ permissionType: 'Reader', ...scope }),
    });
    return Token.parse(await answer.json());
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
    const { access_token, expires_in } = Login.parse(
      await (await askAzure(url, { method: 'POST', body: new URLSearchParams(asked) })).json(),
    );
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
