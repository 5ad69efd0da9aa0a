import type { SignInOptions } from '#domain/signin/create-sign-in.ts';
import { knownProviders } from '#domain/signin/providers.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { practiceProvidersAt } from './practice/practice-clients.ts';
import { practiceRolesOf } from './practice/practice-people.ts';

/** How long a provider may take in all while somebody waits. */
const answersWithinMs = 10_000;

/** Who may sign people in: the providers with credentials, or in practice mode the practice provider in their place. */
export function signInOptions(config: Config, log: Log): SignInOptions {
  const report = (message: string) => log.warn('sign-in', { message });
  const common = { publicUrl: config.publicUrl, answersWithinMs, report };
  if (config.practice) return { ...common, providersAt: practiceProvidersAt, rolesOfNewUser: practiceRolesOf };
  const providers = knownProviders(config.providers, { microsoftTenant: config.microsoftTenant, standIn: config.signInStandIn });
  return { ...common, providersAt: () => providers, rolesOfNewUser: () => ({}) };
}
