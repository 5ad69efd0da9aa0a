import { sql } from './sql.ts';

/**
 * Every advisory lock of an archive, as PostgreSQL's functions take it, so that no two are the same by chance. One keeps its number for good: while
 * an archive is upgraded, processes of two versions wait for each other by it.
 */
export const advisoryLocks = {
  migrating: sql`728374001`,
  takingOver: sql`728374004`,
  pairing: sql`728374005`,
  writingIndex: sql`728374010`,
  workerAlive: sql`728374020`,
  makingQueues: sql`728374021`,
  changingRoles: sql`728374030`,
  backingUp: sql`728374050`,
  tellingBackups: sql`728374051`,
  keepingErasures: sql`728374053`,
  checkingAccess: sql`728374070`,
  changingMeaning: sql`728374085`,
  /** Shared by who writes down names, alone by who looks for those that are to be forgotten. */
  namingPeople: sql`728374086`,
  changingBrands: sql`hashtext('brands')`,
  beginningUploads: sql`hashtext('uploads')`,
  orderingSignInLinks: sql`hashtext('sign-in links')`,
  findingFilmsWithoutJob: sql`hashtext('films without a job')`,
  tellingOfActivations: sql`hashtext('activation notices')`,
  tellingOfWarnings: sql`hashtext('alerts')`,
  startingMachine: sql`hashtext('rushes-machine')`,
  /** Of two numbers, which are a space of their own. */
  provedAddress: (email: string) => sql`hashtext('sign-in'), hashtext(${email})`,
  workingOnFilm: (videoId: string) => sql`728374, hashtext(${videoId})`,
};
