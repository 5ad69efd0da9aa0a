import { expect, test } from 'vitest';
import { can } from './roles.ts';

test('6.1 view needs any role, edit needs editor or admin, admin needs admin', () => {
  const permitted = (roles: Parameters<typeof can>[0]) =>
    (['view', 'edit', 'admin'] as const).filter((permission) => can(roles, permission));
  expect(permitted(null)).toEqual([]);
  expect(permitted({})).toEqual([]);
  expect(permitted({ viewer: false, editor: false, admin: false })).toEqual([]);
  expect(permitted({ viewer: true })).toEqual(['view']);
  expect(permitted({ editor: true })).toEqual(['view', 'edit']);
  expect(permitted({ admin: true })).toEqual(['view', 'edit', 'admin']);
  expect(permitted({ viewer: true, editor: true })).toEqual(['view', 'edit']);
  expect(permitted({ viewer: true, admin: true })).toEqual(['view', 'edit', 'admin']);
  expect(permitted({ editor: true, admin: true })).toEqual(['view', 'edit', 'admin']);
  expect(permitted({ viewer: true, editor: true, admin: true })).toEqual(['view', 'edit', 'admin']);
});
