import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** Something on this machine that stands in for Azure's login, its management, the video service and its frames. */
export interface StandInAzure {
  /** What an archive is told to use it, as the principal of an account in a subscription. */
  readonly settings: Readonly<Record<string, string>>;
  /** The same as a classic account with a key. */
  readonly byKey: Readonly<Record<string, string>>;
  /** What was asked of it: method, address, and what opened it. */
  readonly calls: string[];
  /** What the video service answers the next calls with instead of what it has. */
  refusals: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }[];
  stop(): void;
}

const accountId = '11111111-2222-4333-8444-555555555555';
/** Opens the whole account; whoever finds it in an answer of the archive has found a leak. */
export const azureAccountToken = 'account-token-of-azure';
export const azureSecret = 'secret-of-the-principal';
/** As the service gives ids by now: letters and digits, where older films have hexadecimal ones. */
export const azureFilm = '3jq0p0vhsl';
const poster = '6a0ab5f1-0c3c-4d60-8bd6-2a0f3c4f7d11';
export const azureFace = '0f5ad1c5-8a53-4a4b-b7c7-9a1f2b3c4d5e';
export const azurePicture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]);

/** One film in the shapes that the service is known to answer with, fields that nobody here reads among them. */
const film = {
  accountId,
  id: azureFilm,
  partition: null,
  externalId: 'tape-7',
  metadata: null,
  name: 'Harbour lights',
  description: null,
  created: '2018-04-25T16:29:43.0992053+00:00',
  lastModified: '2021-09-16T20:38:47.62243+00:00',
  lastIndexed: '2021-09-16T20:38:47+00:00',
  privacyMode: 'Private',
  userName: 'Ann Archer',
  isOwned: true,
  isBase: true,
  hasSourceVideoFile: true,
  state: 'Processed',
  moderationState: 'OK',
  reviewState: 'None',
  isSearchable: true,
  processingProgress: '100%',
  durationInSeconds: 272,
  thumbnailVideoId: azureFilm,
  thumbnailId: poster,
  indexingPreset: 'Default',
  streamingPreset: 'SingleBitrate',
  sourceLanguage: 'en-US',
  sourceLanguages: ['en-US'],
  personModelId: '00000000-0000-0000-0000-000000000000',
};
const matches = [
  {
    startTime: '00:00:26',
    type: 'Transcript',
    subType: '',
    text: 'The harbour lights came on, and the harbour slept.',
    exactText: 'harbour',
  },
  { startTime: '00:01:01.1000000', type: 'NamedPerson', text: 'Ann Archer', exactText: 'Ann' },
];
const instances = [{ adjustedStart: '0:00:26', adjustedEnd: '0:00:29.5', start: '0:00:26', end: '0:00:29.5' }];
const index = {
  ...film,
  duration: '0:04:32',
  summarizedInsights: null,
  isEditable: true,
  videosRanges: [],
  videos: [
    {
      ...film,
      failureCode: 'None',
      publishedUrl: null,
      viewToken: null,
      insights: {
        transcript: [{ id: 1, text: matches[0]?.text, confidence: 0.8, speakerId: 1, language: 'en-US', instances }],
        ocr: [{ id: 1, text: 'PIER 4', confidence: 0.9, left: 1, top: 2, width: 3, height: 4, instances }],
        emotions: [{ id: 1, type: 'Joy' }],
      },
    },
  ],
};

export async function startStandInAzure(): Promise<StandInAzure> {
  const standIn: Pick<StandInAzure, 'calls' | 'refusals'> = { calls: [], refusals: [] };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://stand-in');
    const { authorization = '', 'ocp-apim-subscription-key': key = '' } = request.headers;
    const body = await text(request);
    standIn.calls.push(`${request.method} ${url.pathname}${url.search} ${authorization}${String(key)} ${body}`.trim());
    const isService = url.pathname.startsWith('/westeurope/');
    const refusal = isService ? standIn.refusals.shift() : undefined;
    if (refusal)
      return void response.writeHead(refusal.status, refusal.headers).end(refusal.body ?? '{"ErrorType":"GENERAL","Message":"not today"}');
    const [status, answered] = isService && authorization !== `Bearer ${azureAccountToken}` ? [401, ''] : answerTo(url, body);
    const isBytes = Buffer.isBuffer(answered);
    response
      .writeHead(status, { 'content-type': isBytes ? 'image/jpeg' : 'application/json' })
      .end(isBytes ? answered : JSON.stringify(answered));
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const account = { VIDEO_SERVICE: 'azure', AZURE_LOCATION: 'westeurope', AZURE_ACCOUNT_ID: accountId };
  const bases = ['API', 'WIDGET', 'LOGIN', 'MANAGEMENT'].map((name) => [`AZURE_${name}_BASE`, base]);
  return Object.assign(standIn, {
    settings: {
      ...account,
      ...Object.fromEntries(bases),
      AZURE_TENANT_ID: 'a-tenant',
      AZURE_CLIENT_ID: 'a-principal',
      AZURE_CLIENT_SECRET: azureSecret,
      AZURE_SUBSCRIPTION_ID: 'a-subscription',
      AZURE_RESOURCE_GROUP: 'a group',
      AZURE_ACCOUNT_NAME: 'archive',
    },
    byKey: { ...account, ...Object.fromEntries(bases), AZURE_KEY: 'a-key' },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

function answerTo({ pathname, searchParams }: URL, body: string): [status: number, answer: unknown] {
  if (pathname === '/a-tenant/oauth2/v2.0/token')
    return [body.includes(`client_secret=${azureSecret}`) ? 200 : 401, { token_type: 'Bearer', expires_in: 3_599, access_token: 'login' }];
  if (pathname.endsWith('/generateAccessToken')) return [200, { accessToken: tokenFor(JSON.parse(body).videoId) }];
  if (pathname.startsWith('/Auth/')) return [200, tokenFor(/\/Videos\/(\w+)\//.exec(pathname)?.[1])];
  if (pathname.endsWith(`/Videos/${film.id}/Index`)) return [200, index];
  if (pathname.includes(`/Videos/${film.id}/Thumbnails/`)) return [200, azurePicture];
  if (pathname.startsWith('/embed/')) return [200, { frame: pathname }];
  if (!/\/Videos(\/Search)?$/.test(pathname)) return [404, { ErrorType: 'BREAKDOWN_NOT_FOUND', Message: 'no' }];
  const query = searchParams.get('query');
  const isFound = (query === null || /harbour/i.test(query)) && [film.id, null].includes(searchParams.get('id'));
  const results = isFound ? [{ ...film, searchMatches: query === null ? [] : matches }] : [];
  return [200, { results, nextPage: { pageSize: 12, skip: 0, done: true } }];
}

function tokenFor(videoId: string | undefined): string {
  return videoId === undefined ? azureAccountToken : `token-of-film-${videoId}`;
}
