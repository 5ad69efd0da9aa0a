import { useMutation } from '@tanstack/react-query';
import { useContext } from 'react';
import { can, type RoleName } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { rememberedUser, rememberUser, stopListingUsers, usersKey } from '#web/api/users.ts';
import { Switch } from '#web/ui/switch.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { explainFailure } from './explain-failure.ts';
import { HoldContext } from './use-hold.ts';

/** How long a user stays in the table they have just been switched out of. */
const moveAfterMs = 600;

interface RoleSwitchProps {
  user: UserRow;
  role: RoleName;
  label: string;
  disabled: boolean;
}

/** Gives a role or takes it, at once; goes back when the server refuses. */
export function RoleSwitch({ user, role, label, disabled }: RoleSwitchProps) {
  const { mutate, isPending, variables } = useRoleChange(user, role);
  return (
    <Switch
      label={`${label}, ${user.displayName}`}
      on={isPending ? variables : user.roles[role] === true}
      disabled={disabled}
      onChange={mutate}
    />
  );
}

function useRoleChange(user: UserRow, role: RoleName) {
  const hold = useContext(HoldContext);
  const { uid } = user;
  return useMutation({
    // One change of a user after the other: each says which state it was made in.
    scope: { id: `roles of ${uid}` },
    mutationFn: async (granted: boolean) => {
      const release = hold();
      const seen = rememberedUser(uid) ?? user;
      let waitMs = 0;
      try {
        await stopListingUsers();
        const changed = await call('setRole', { uid, role, granted, authVersion: seen.authVersion });
        rememberUser(changed);
        if (can(changed.roles, 'view') !== can(seen.roles, 'view')) waitMs = moveAfterMs;
      } finally {
        setTimeout(release, waitMs);
      }
    },
    onError: (reason) => showToast(explainFailure(reason, 'The change was not saved.'), 'failed'),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}
