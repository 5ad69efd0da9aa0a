import { Link } from 'react-router';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

interface LinkFailedProps {
  message: string;
  returnUrl: string;
  /** Given when the link itself may still be good. */
  onRetry?: () => void;
}

/** Says why a link signed nobody in, and what to do about it. */
export function LinkFailed({ message, returnUrl, onRetry }: LinkFailedProps) {
  const { emailSignIn } = pageSettings;
  return (
    <>
      <p className="note note-danger" role="alert">
        <Icon name="circle-alert" />
        {message}
      </p>
      {onRetry && (
        <Button className="mt-6 w-full" look="primary" size="large" onClick={onRetry}>
          Try again
        </Button>
      )}
      {!onRetry && emailSignIn && (
        <Link className={`${buttonClass('primary', 'large')} mt-6 w-full`} to={paths.loginEmail(returnUrl)} replace>
          Send a new link
        </Link>
      )}
      <p className="modal-fine">
        <Link className="link" to={paths.login(returnUrl)} replace>
          Sign in another way
        </Link>
      </p>
    </>
  );
}
