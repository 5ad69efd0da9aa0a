import { expect, test } from 'vitest';
import { signInFailureMessage } from './sign-in.ts';

test.each([
  ['access_denied', 'The sign-in was cancelled.'],
  ['temporarily_unavailable', 'The provider does not answer at the moment. Try again, or sign in another way.'],
  ['server_error', 'The provider does not answer at the moment. Try again, or sign in another way.'],
  ['invalid_code', 'The provider did not confirm the sign-in. Try again.'],
  ['state_mismatch', 'This sign-in was begun in another window, or too long ago. Try again.'],
  ['invalid_callback_request', 'This sign-in was begun in another window, or too long ago. Try again.'],
  ['toString', 'The provider could not sign you in. Try again.'],
  ['<script>window.__xss=1</script>', 'The provider could not sign you in. Try again.'],
])('what a provider answers is said in words of ours: %s', (error, message) => {
  expect(signInFailureMessage(error)).toBe(message);
});
