import type { Roles } from '#contract/roles.ts';

export interface PracticePerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: Roles;
  readonly may: string;
}

/** The four people of a practice archive, one for each thing that a person may be here. */
export const practicePeople: readonly PracticePerson[] = [
  { id: 'newcomer', name: 'Nora Newcomer', email: 'nora@practice.example', roles: {}, may: 'Has just signed up and waits for activation' },
  { id: 'viewer', name: 'Victor Viewer', email: 'victor@practice.example', roles: { viewer: true }, may: 'Watches' },
  { id: 'editor', name: 'Edda Editor', email: 'edda@practice.example', roles: { editor: true }, may: 'Watches and edits' },
  { id: 'admin', name: 'Ada Admin', email: 'ada@practice.example', roles: { admin: true }, may: 'Does everything' },
];

/** The roles that one of the four starts with; nobody else gets any. */
export function practiceRolesOf(email: string): Roles {
  return practicePeople.find((person) => person.email === email)?.roles ?? {};
}
