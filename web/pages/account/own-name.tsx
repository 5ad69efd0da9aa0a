import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** The name that everybody here sees; the server says what is wrong with one. */
export function OwnName({ uid, saved }: { uid: string; saved: string }) {
  const [name, setName] = useState(saved);
  const save = useMutation({
    mutationFn: () => call('setOwnName', { uid, displayName: name }),
    onSuccess: async ({ displayName }) => {
      setName(displayName);
      showToast('Your name has been saved');
      await Promise.all([queryClient.refetchQueries(sessionQuery), queryClient.invalidateQueries(accountQuery)]);
    },
  });
  return (
    <form
      className="account-name"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextField
        label="Name"
        autoComplete="name"
        dir="auto"
        value={name}
        fault={save.error?.message}
        onChange={({ target }) => {
          setName(target.value);
          save.reset();
        }}
      />
      <Button type="submit" look="outline" busy={save.isPending} disabled={name === saved}>
        Save
      </Button>
    </form>
  );
}
