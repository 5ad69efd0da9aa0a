/** The part of the library that the practice provider and the tests' stand-ins use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface KoaContext {
    body: unknown;
    type: string;
    status: number;
    readonly path: string;
    readonly response: { get(header: string): string | undefined };
    get(header: string): string;
    set(header: string, value: string): void;
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly params: { readonly scope?: string };
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  }

  export type InteractionResult = { login: { accountId: string } } | { error: string; error_description: string };

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    /** Prints no faults of its own. */
    silent: boolean;
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string } | undefined> };
    use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: { client_id?: string } }>;
    /** Where to send the browser on. */
    interactionResult(request: IncomingMessage, response: ServerResponse, result: InteractionResult): Promise<string>;
  }
}
