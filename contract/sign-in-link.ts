import { z } from 'zod';

/** Who wants a link. The address is read by its own grammar, so that every other value gets `invalid_email`. */
export const SendSignInLinkInput = z.object({
  email: z.unknown(),
  displayName: z.unknown(),
  returnUrl: z.string().max(2_000).default('/'),
});

/** The secret of a link, and the address that it was sent to. */
export const SignInLinkInput = z.object({ token: z.string().max(200), email: z.string().max(400) });
