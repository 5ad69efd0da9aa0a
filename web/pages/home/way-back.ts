import { type PageName, pageAt, readReturnUrl } from '#contract/page-routes.ts';
import { can, type Permission, type Roles } from '#contract/roles.ts';

/** Pages whose guard sends those home, with a returnUrl, who may not open them. */
const needs: Partial<Record<PageName, Permission>> = {
  admin: 'admin',
  adminVideos: 'admin',
  adminActivity: 'admin',
  desk: 'edit',
  deskUnfound: 'edit',
  deskBrands: 'edit',
  deskDeleted: 'edit',
  deskDetails: 'edit',
  deskFilms: 'edit',
  deskReplace: 'edit',
  deskKeptBack: 'edit',
};

/** Where somebody goes on to who was sent home by a guard and may open that page by now; null for everybody else. */
export function wayBack(parameters: URLSearchParams, roles: Roles | undefined): string | null {
  const wanted = readReturnUrl(parameters);
  const page = pageAt(wanted);
  const need = page === null ? undefined : needs[page];
  return need && can(roles, need) ? wanted : null;
}
