import { Link, useLocation } from 'react-router';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';

/** Said plainly instead of a form that leads nowhere. */
export function NoEmailSignIn({ returnUrl }: { returnUrl: string }) {
  const { state } = useLocation();
  const { email } = pageSettings.archive.contact;
  return (
    <>
      <p className="modal-lead">Signing in with a link by e-mail is not set up on this archive.</p>
      <p>
        <Link className="link" to={paths.login(returnUrl)} state={state} replace preventScrollReset>
          Choose another way
        </Link>
        {email !== '' && (
          <>
            , or write to{' '}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          </>
        )}
        .
      </p>
    </>
  );
}
