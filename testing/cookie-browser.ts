import { Session, type SignedInUser } from '#contract/session.ts';

/** What a browser does between two pages: keeps cookies, follows redirects, says where a request comes from. */
export class CookieBrowser {
  readonly cookies = new Map<string, string>();
  private readonly origin: string;
  private readonly userAgent: string;
  private readonly setCookies: string[] = [];

  constructor(origin: string, userAgent = 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36') {
    this.origin = origin;
    this.userAgent = userAgent;
  }

  /** One request, redirects not followed. */
  async request(address: string, options: RequestInit = {}): Promise<Response> {
    const headers = new Headers(options.headers);
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('user-agent', this.userAgent);
    if (options.method && options.method !== 'GET' && !headers.has('origin')) headers.set('origin', this.origin);
    const response = await fetch(new URL(address, this.origin), { ...options, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    return response;
  }

  /** A page: redirects are followed to their end. */
  async open(address: string, options: RequestInit = {}): Promise<Response> {
    const response = await this.request(address, options);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || !location) return response;
    return await this.open(new URL(location, response.url).href);
  }

  /** Who the server takes this browser's owner for; null for a guest. */
  async user(): Promise<SignedInUser | null> {
    return Session.strict().parse(await (await this.request('/api/session')).json()).user;
  }

  async post(address: string, body: unknown = {}): Promise<Response> {
    return await this.request(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  /** Through the practice provider as one of its people, to the last page of the window; an empty person cancels. */
  async signIn(provider: string, person: string): Promise<Response> {
    return await this.choose(await this.open(`/sign-in/popup-start?provider=${provider}`), person);
  }

  /** Presses a button of the practice provider's page and follows to the end. */
  async choose(page: Response, person: string): Promise<Response> {
    return await this.open((await this.submit(page, person)).headers.get('location') ?? '');
  }

  /** Presses that button and goes nowhere yet. */
  async submit(page: Response, person: string): Promise<Response> {
    return await this.request(page.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ person }).toString(),
    });
  }

  /** How this cookie was set most recently. */
  lastSetCookie(name: string): string | undefined {
    return this.setCookies.findLast((cookie) => cookie.startsWith(`${name}=`));
  }

  private keep(setCookie: string): void {
    this.setCookies.push(setCookie);
    const [pair = '', ...attributes] = setCookie.split(/; */);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
