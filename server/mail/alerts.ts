import { serverLimits } from '#contract/limits.ts';
import { pageRoutes } from '#contract/page-routes.ts';
import type { Warning } from '#contract/status.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { inTime } from '#domain/scheduling/in-time.ts';
import { tellOncePerDay } from '#domain/status/notices.ts';
import { readDatabaseClock } from '#domain/status/processes.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Context } from '../context.ts';
import type { Outlook } from '../status/look-outside.ts';
import { readStatus } from '../status/read-status.ts';
import { makeDatabaseWarning } from '../status/warnings.ts';
import { writeMailDocument } from './mail-document.ts';
import type { Mail } from './mailer.ts';

const lookEveryMs = 2 * 60 * 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

/** Hints that somebody should hear of before they are worse: of certificates those that end, and not what cannot be seen from here. */
const worthAHint = /^(waiting-people$|disk-|certificate-)/;

/** Tells whoever the operator named of what needs somebody, by mail, by a call, or both: each thing once a day, when it was so at two looks. */
export function startAlerts(context: Context, outlook: Outlook): { stop(): Promise<void> } {
  const { mail, url } = context.config.alerts;
  if (!mail && !url) return { stop: async () => {} };
  const stopping = new AbortController();
  const look = lookForAlerts(context, outlook, { stop: stopping.signal });
  let working: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const failed = (error: unknown) => context.log.warn('alerts put off', { reason: errorMessageOf(error) });
    working = working.then(look).catch(failed);
  }, lookEveryMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await working;
    },
  };
}

/**
 * Looks once, each time that it is called. Without a database, which tells what was told before, this process remembers it: each of
 * several tells once a day that the database is away. `stop` ends a look that is under way.
 */
export function lookForAlerts(
  context: Context,
  outlook: Outlook,
  { withinMs = serverLimits.alertAnsweredWithinMs, stop }: { withinMs?: number; stop?: AbortSignal } = {},
): () => Promise<void> {
  let before: ReadonlySet<string> = new Set();
  let awayToldMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const outside = await unlessStopped(outlook.look(), stop);
    const away = await findDatabaseAway(context, withinMs);
    const warnings = away ? [away] : (await readStatus(context, outside)).warnings;
    const needed = warnings.filter(needsSomebody);
    // A process that begins, or a network that is away for a moment, is nobody's business.
    const due = needed.filter(({ about }) => before.has(about));
    before = new Set(needed.map(({ about }) => about));
    if (!away) return await tellSomebody(context, due, stop);
    context.log.error('the database is away', { reason: away.says });
    if (due.length === 0 || performance.now() - awayToldMs < dayMs) return;
    await tell(context, due, stop);
    awayToldMs = performance.now();
  };
}

async function unlessStopped<T>(work: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error('the archive stops'));
  stop?.addEventListener('abort', end, { once: true });
  return await Promise.race([work, stopped]).finally(() => stop?.removeEventListener('abort', end));
}

/** Null where the database answers in time: a connection to a machine that was lost says nothing for a quarter of an hour. */
async function findDatabaseAway({ pool }: Context, withinMs: number): Promise<Warning | null> {
  try {
    await inTime(readDatabaseClock(pool), withinMs, `it did not answer within ${withinMs / 1_000} s`);
    return null;
  } catch (error) {
    return makeDatabaseWarning(errorMessageOf(error) || errorCodeOf(error));
  }
}

/** Whether somebody is told of it unasked. */
export function needsSomebody({ is, about }: Warning): boolean {
  return is === 'bad' || worthAHint.test(about);
}

/** Tells of what nobody was told of today; throws when none of the ways that the operator named took it. */
export async function tellSomebody(context: Context, warnings: readonly Warning[], stop?: AbortSignal): Promise<void> {
  await tellOncePerDay(context.pool, warnings, (due) => tell(context, due, stop));
}

async function tell(context: Context, due: readonly Warning[], stop?: AbortSignal): Promise<void> {
  const { config, mail, log } = context;
  const ways: Promise<void>[] = [];
  if (config.alerts.url) ways.push(callWith(config.alerts.url, bodyOf(context, due), stop));
  if (config.alerts.mail && mail) ways.push(mail.send(writeAlertMail(context, due, config.alerts.mail), stop));
  const outcomes = await Promise.allSettled(ways);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of failed) log.warn('an alert was not taken', { reason: errorMessageOf(reason) });
  if (failed.length > 0 && failed.length === outcomes.length) throw failed[0]?.reason;
}

async function callWith(url: string, body: object, stop?: AbortSignal): Promise<void> {
  const answer = await askOutside(url, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([AbortSignal.timeout(serverLimits.alertAnsweredWithinMs), ...(stop ? [stop] : [])]),
  });
  await answer.body?.cancel();
  // The address may hold what lets a caller in.
  if (!answer.ok) throw new Error(`${new URL(url).origin} answered ${answer.status}`);
}

/** `text` is what chat programs show of such a call. */
function bodyOf({ config, settings }: Context, due: readonly Warning[]): object {
  const lines = due.map(({ says, whatToDo }) => `• ${says} ${whatToDo}`);
  const status = `${config.publicUrl}${pageRoutes.adminStatus}`;
  return { text: [`${subjectOf(settings.name, due)}:`, ...lines, status].join('\n'), archive: settings.name, status, warnings: due };
}

function writeAlertMail({ config, settings }: Context, due: readonly Warning[], to: string): Mail {
  const subject = subjectOf(settings.name, due);
  const { text, html } = writeMailDocument({
    heading: subject,
    paragraphs: due.map(({ says, whatToDo }) => `${says} ${whatToDo}`),
    link: { label: 'Open the status page', address: `${config.publicUrl}${pageRoutes.adminStatus}` },
    afterwards: 'You get at most one e-mail a day about each problem.',
  });
  return { to, subject, text, html };
}

function subjectOf(archive: string, due: readonly Warning[]): string {
  return `${due.length === 1 ? '1 problem needs' : `${due.length} problems need`} attention in ${archive}`;
}
