import type { SignInOptions } from '#domain/signin/create-sign-in.ts';
import { knownProviders } from '#domain/signin/providers.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { practiceProvidersAt } from './practice/practice-clients.ts';
import { practiceRolesOf } from './practice/practice-people.ts';

/** Who may sign people in: the providers with credentials, or in practice mode the practice provider in their place. */
export function signInOptions(config: Config, log: Log): SignInOptions {
  const report = (message: string) => log.warn('sign-in', { message });
  const { publicUrl } = config;
  if (config.practice) return { publicUrl, report, providersAt: practiceProvidersAt, rolesOfNewUser: practiceRolesOf };
  const providers = knownProviders(config.providers);
  return { publicUrl, report, providersAt: () => providers, rolesOfNewUser: () => ({}) };
}
