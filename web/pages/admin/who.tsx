import { signInWayNames } from '#contract/sign-in.ts';
import type { UserRow } from '#contract/users.ts';
import { Icon } from '#web/ui/icon.tsx';

const cautions: Record<UserRow['cautions'][number], string> = {
  'mixed-scripts': 'Mixed scripts',
  'same-name': 'Same name as an active user',
  'similar-address': 'Similar address',
};

/** Who a row is about and what speaks for it. Names and addresses are others' text: each is kept apart from what stands around it. */
export function Who({ user, isOwn }: { user: UserRow; isOwn: boolean }) {
  return (
    <div className="who">
      <img className="avatar avatar-large" src={user.photoUrl} alt="" />
      <div className="who-text">
        <div className="who-name">
          <b>
            <bdi>{user.displayName}</bdi>
          </b>
          {isOwn && <span className="tag">You</span>}
          {user.cautions.map((caution) => (
            <span key={caution} className="tag">
              {cautions[caution]}
            </span>
          ))}
        </div>
        <small className="who-contact">
          <Address user={user} />
          {user.signInWays.length > 0 && <span className="who-ways">{user.signInWays.map((way) => signInWayNames[way]).join(', ')}</span>}
        </small>
        {user.note && (
          <q className="who-note">
            <bdi>{user.note}</bdi>
          </q>
        )}
      </div>
    </div>
  );
}

function Address({ user: { email, emailVerified } }: { user: UserRow }) {
  if (email === '') return <span className="who-address">No e-mail address</span>;
  return (
    <span className="who-address">
      <bdi>{email}</bdi>
      {emailVerified ? (
        <span className="who-proof" title="Verified address">
          <Icon name="circle-check" size={16} />
          <span className="sr-only">, verified</span>
        </span>
      ) : (
        <span className="who-proof">
          <Icon name="circle-alert" size={16} />
          not verified
        </span>
      )}
    </span>
  );
}
