import type { ActivityEntry } from '#contract/users.ts';

const roles: Readonly<Record<string, string>> = { viewer: 'Watch', editor: 'Edit Videos', admin: 'Admin' };

/** What somebody did, to be read between who did it and to whom. */
export function activityWords({ action, detail }: Pick<ActivityEntry, 'action' | 'detail'>): string {
  switch (action) {
    case 'signed-up':
      return 'signed up';
    case 'role-granted':
      return `gave ${roles[detail] ?? detail} to`;
    case 'role-removed':
      return `removed ${roles[detail] ?? detail} from`;
    case 'user-deleted':
      return 'deleted';
    case 'account-deleted':
      return 'deleted their own account';
    case 'name-changed':
      return 'changed their name to';
    case 'email-changed':
      return 'changed their e-mail to';
    case 'title-changed':
      return `gave the title “${detail}” to`;
    case 'correction-undone':
      return `took “${detail}” back from`;
  }
}

/** Whether it was done to somebody: what people do to themselves names nobody else. */
export function hasObject({ actor, subject, action }: Pick<ActivityEntry, 'actor' | 'subject' | 'action'>): boolean {
  return subject !== null && actor?.uid !== subject.uid && action !== 'signed-up';
}
