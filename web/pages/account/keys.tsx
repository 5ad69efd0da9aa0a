import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OwnKey } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';

const spans = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const;

/** The keys by which one's scripts come in: made, told once, revoked. Who may no longer edit still revokes. */
export function Keys({ keys, mayMake }: { keys: readonly OwnKey[]; mayMake: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  if (!mayMake && keys.length === 0) return null;
  const { videoServiceBase, location, accountId } = pageSettings;
  return (
    <section className="account-part" aria-labelledby="account-keys">
      <h2 id="account-keys" ref={heading} tabIndex={-1}>
        Keys
      </h2>
      <div>
        <p>
          With a key, a script can add and correct videos in your name for as long as you may edit. It uses{' '}
          <code className="account-address">
            {new URL(`${videoServiceBase}/${location}/Accounts/${accountId}`, window.location.origin).href}
          </code>
        </p>
        {keys.length > 0 && (
          <ul className="account-sessions">
            {keys.map((key) => (
              <Key key={key.id} made={key} onRevoked={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
        {mayMake && <MakeKey />}
      </div>
    </section>
  );
}

function Key({ made: { id, name, createdAt, expiresAt, lastUsedAt }, onRevoked }: { made: OwnKey; onRevoked: () => void }) {
  const revoke = useMutation({
    mutationFn: () => call('revokeKey', { key: id }),
    onSuccess: () => showToast(`Key “${name}” no longer works`),
    onError: ({ message }) => showToast(message, 'failed'),
    onSettled: async () => {
      await queryClient.invalidateQueries(accountQuery);
      onRevoked();
    },
  });
  return (
    <li>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p>
          Created <LocalTime at={createdAt} />, valid until <LocalTime at={expiresAt} />
          {lastUsedAt ? (
            <>
              , last used <LocalTime at={lastUsedAt} />
            </>
          ) : (
            ', never used'
          )}
        </p>
      </div>
      <Button look="outline" size="small" busy={revoke.isPending} aria-label={`Revoke ${name}`} onClick={() => revoke.mutate()}>
        Revoke
      </Button>
    </li>
  );
}

function MakeKey() {
  const [name, setName] = useState('');
  const [days, setDays] = useState<(typeof spans)[number]['value']>('90');
  const made = useMutation({
    mutationFn: () => call('makeKey', { name, days: Number(days) }),
    onSuccess: () => {
      setName('');
      return queryClient.invalidateQueries(accountQuery);
    },
  });
  return (
    <>
      <form
        className="account-make-key"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          made.mutate();
        }}
      >
        <TextField
          label="What the key is for"
          placeholder="Nightly import"
          autoComplete="off"
          dir="auto"
          maxLength={limits.keyNameMaxCodePoints}
          value={name}
          fault={made.error?.message}
          onChange={({ target }) => {
            setName(target.value);
            if (made.isError) made.reset();
          }}
        />
        <div className="account-key-holds">
          <span className="field-label">Valid for</span>
          <Segmented label="Valid for" value={days} options={spans} onChange={setDays} />
        </div>
        <Button type="submit" look="outline" busy={made.isPending} disabled={name.trim() === ''}>
          Create a key
        </Button>
      </form>
      {made.data && <ToldOnce secret={made.data.key} />}
    </>
  );
}

/** Read aloud as it comes. Whoever leaves the page without it has to make another. */
function ToldOnce({ secret }: { secret: string }) {
  return (
    <div className="account-told" role="status">
      <p>Copy the key now. It will not be shown again.</p>
      <code className="account-address">{secret}</code>
      <Button look="outline" size="small" onClick={() => copyText('Key', secret)}>
        Copy the key
      </Button>
    </div>
  );
}
