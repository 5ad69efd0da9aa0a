import { z } from 'zod';

/** The three roles, in the order of the admin's switches. */
export const roleNames = ['viewer', 'editor', 'admin'] as const;
export type RoleName = (typeof roleNames)[number];

export const Roles = z.object({
  viewer: z.boolean().optional(),
  editor: z.boolean().optional(),
  admin: z.boolean().optional(),
});
/** Three independent switches; a missing one is off. */
export type Roles = z.infer<typeof Roles>;

export type Permission = 'view' | 'edit' | 'admin';

/** Whether these roles carry a permission: view needs any role, edit needs editor or admin, admin needs admin. */
export function can(roles: Roles | null | undefined, permission: Permission): boolean {
  if (!roles) return false;
  const isAdmin = roles.admin === true;
  const isEditor = isAdmin || roles.editor === true;
  if (permission === 'admin') return isAdmin;
  if (permission === 'edit') return isEditor;
  return isEditor || roles.viewer === true;
}
