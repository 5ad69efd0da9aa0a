import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { signInByLink } from '#web/api/sign-in.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Where a one-time link leads. It signs in by a press, so that a link checker that only looks spends nothing. */
export function LinkSignIn({ returnUrl }: { returnUrl: string }) {
  const navigate = useNavigate();
  const token = useTokenOfAddress();
  const signIn = useMutation({ mutationFn: () => signInByLink(token), onSuccess: () => navigate(returnUrl, { replace: true }) });
  if (token === '') return <p className="modal-lead">There is no sign-in link in this address. Open the link as it was given to you.</p>;
  return (
    <>
      <p className="modal-lead">This link signs you in on this device. It works once.</p>
      <Button className="w-full" look="primary" size="large" busy={signIn.isPending} onClick={() => signIn.mutate()}>
        {signIn.isPending ? 'Signing you in' : 'Sign in'}
      </Button>
      {signIn.isError && (
        <p className="note note-danger" role="alert">
          <Icon name="circle-alert" />
          {signIn.error.message}
        </p>
      )}
      <p className="modal-fine">
        <Link className="link" to={paths.login(returnUrl)} replace>
          Sign in another way
        </Link>
      </p>
    </>
  );
}

/** The secret of the link, taken out of the address at once: it belongs in no history and no screenshot. */
function useTokenOfAddress(): string {
  const [params, setParams] = useSearchParams();
  const [token] = useState(() => params.get('token') ?? '');
  useEffect(() => {
    if (!params.has('token')) return;
    const rest = new URLSearchParams(params);
    rest.delete('token');
    setParams(rest, { replace: true, preventScrollReset: true });
  }, [params, setParams]);
  return token;
}
