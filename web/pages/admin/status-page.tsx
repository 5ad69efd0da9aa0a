import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BackupState } from '#contract/archive.ts';
import type { ArchiveProcess, ArchiveStatus, Warning, WorkQueue } from '#contract/status.ts';
import { statusQuery } from '#web/api/status.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { filmsAreHere } from '#web/page-settings.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { WhoSeesWhat } from './who-sees-what.tsx';
import './status.css';

/** How every part of the archive stands, and what an operator should do about it; it follows by itself. */
export function StatusPage() {
  const status = useQuery(statusQuery);
  const { data, isPending, refetch } = status;
  const failure = useFailure(status);
  return (
    <AdminFrame tab="status">
      {isPending && !failure && <Spinner label="Loading the status" />}
      {failure && (
        <LoadFailed
          says={`The status could not be ${data ? 'refreshed; this is an earlier one' : 'loaded'}. ${failure.message}`}
          onRetry={refetch}
        />
      )}
      {data && (
        <>
          <Warnings warnings={data.warnings} />
          <Processes processes={data.processes} at={data.at} />
          <Parts status={data} />
          <WhoSeesWhat />
        </>
      )}
    </AdminFrame>
  );
}

interface CountedProps {
  id: string;
  name: string;
  /** How many there are of what stands below. */
  count: number;
  children: ReactNode;
}

function Counted({ id, name, count, children }: CountedProps) {
  return (
    <section aria-labelledby={id}>
      <div className="table-head">
        <h2 id={id}>{name}</h2>
        <span className="tag">{count}</span>
      </div>
      {children}
    </section>
  );
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <Counted id="warnings" name="Needs attention" count={warnings.length}>
      {warnings.length === 0 && (
        <p className="status-well">
          <Icon name="check" /> Everything is working.
        </p>
      )}
      <ul className="status-warnings" aria-live="polite">
        {warnings.map(({ about, is, says, whatToDo }) => (
          <li key={about} className={is === 'bad' ? 'status-warning status-bad' : 'status-warning'}>
            <Icon name={is === 'bad' ? 'circle-alert' : 'clock'} />
            <p>
              <strong>
                <span className="sr-only">{is === 'bad' ? 'Now: ' : 'Soon: '}</span>
                <bdi>{says}</bdi>
              </strong>{' '}
              <bdi>{whatToDo}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </Counted>
  );
}

const processHeads = ['Process', 'Last seen', 'Running since', 'Memory', 'Disk', 'Version'];

function Processes({ processes, at }: { processes: readonly ArchiveProcess[]; at: string }) {
  return (
    <Counted id="processes" name="Processes and machines" count={processes.length}>
      <table className="table status-table" aria-labelledby="processes">
        <thead>
          <tr>
            {processHeads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {processes.map((process) => (
            <ProcessRow key={process.id} process={process} at={at} />
          ))}
        </tbody>
      </table>
    </Counted>
  );
}

function ProcessRow({ process, at }: { process: ArchiveProcess; at: string }) {
  const { machine, pid, does, isAlive, seenAt, startedAt, memoryBytes, disk, version, indexBatch, notes, classes } = process;
  return (
    <tr>
      <th scope="row">
        {does === 'web' ? 'Web server' : 'Worker'}
        <small>
          <bdi>{machine}</bdi>, {pid}
          {filmsAreHere && indexBatch !== null && `, index version ${indexBatch.toLocaleString('en')}`}
          {classes?.length === 1 && (classes[0] === 'playable' ? ', only makes videos playable' : ', only understands videos')}
          {notes.length > 0 && `, ${notes.join(', ')}`}
        </small>
      </th>
      <td data-head="Last seen" className={isAlive ? 'status-alive' : 'status-gone'}>
        <LocalTime at={seenAt}>{isAlive ? 'now' : `${wordTimeBetween(seenAt, at)} ago`}</LocalTime>
      </td>
      <td data-head="Running since">
        <LocalTime at={startedAt} />
      </td>
      <td data-head="Memory">{wordBytes(memoryBytes)}</td>
      <td data-head="Disk">{disk ? `${wordBytes(disk.freeBytes)} of ${wordBytes(disk.totalBytes)} free` : 'unknown'}</td>
      <td data-head="Version">{version}</td>
    </tr>
  );
}

/** What the processes work with, each part in a card of its own. Where another service has the films, nothing waits here, is indexed or understood. */
function Parts({ status }: { status: ArchiveStatus }) {
  const { queues, store, index, database, backup, engines, at } = status;
  return (
    <div className="status-parts">
      {filmsAreHere && (
        <Part name="Waiting work">
          {queues.map(({ name, waiting, working, oldestAt }) => (
            <Fact key={name} name={queueNames[name]}>
              {waiting + working === 0
                ? 'nothing'
                : `${waiting.toLocaleString('en')} waiting${working > 0 ? `, ${working} under way` : ''}`}
              {oldestAt && `, the oldest for ${wordTimeBetween(oldestAt, at)}`}
            </Fact>
          ))}
        </Part>
      )}
      {filmsAreHere && (
        <Part name="Files">
          <Fact name="Originals">{`${store.films.toLocaleString('en')}, ${wordBytes(store.originalsBytes)}`}</Fact>
          {store.originalsMaxBytes !== null && (
            <Fact name="Quota of originals">
              {`${wordBytes(store.originalsMaxBytes)}, ${Math.floor((100 * store.originalsBytes) / store.originalsMaxBytes)}% used`}
            </Fact>
          )}
          <Fact name="Location">{store.place}</Fact>
          <Fact name="Stops adding videos below">{wordBytes(store.reserveBytes)}</Fact>
        </Part>
      )}
      {index && (
        <Part name="Search index">
          <Fact name="Version">{index.batch.toLocaleString('en')}</Fact>
          <Fact name="Videos">{index.films.toLocaleString('en')}</Fact>
          <Fact name="State">
            {index.is === 'ready' ? 'ready' : `being built${index.builtPercent === null ? '' : `, ${index.builtPercent}%`}`}
          </Fact>
        </Part>
      )}
      <Part name="Database">
        <Fact name="PostgreSQL">{`${database.version}, ${database.role}`}</Fact>
        <Fact name="Size">{wordBytes(database.sizeBytes)}</Fact>
        <Fact name="Connections">{`${database.connections} of ${database.connectionsMax}`}</Fact>
        {database.lagSeconds !== null && <Fact name="Lag behind primary">{`${Math.round(database.lagSeconds)} s`}</Fact>}
        {database.standbys.map(({ name, state, lagSeconds }) => (
          <Fact key={name} name={`Standby ${name}`}>{`${state}${lagSeconds === null ? '' : `, ${Math.round(lagSeconds)} s behind`}`}</Fact>
        ))}
      </Part>
      <Part name="Backup">
        <Fact name="State">{wordBackupState(backup.is)}</Fact>
        {backup.lastGoodAt && (
          <Fact name="Last good backup">
            <LocalTime at={backup.lastGoodAt} />
          </Fact>
        )}
        {backup.folder && <Fact name="Folder">{backup.folder}</Fact>}
      </Part>
      <Outside outside={status.outside} />
      {filmsAreHere && (
        <Part name="Engines">
          {engines.length === 0 && <Fact name="None">No worker has reported any yet.</Fact>}
          {engines.map(({ name, version, off }) => (
            <Fact key={name} name={name}>
              {off ? `off: ${off.reason}` : version}
            </Fact>
          ))}
        </Part>
      )}
    </div>
  );
}

function Outside({ outside }: Pick<ArchiveStatus, 'outside'>) {
  return (
    <Part name="Certificates and providers">
      {!outside && <Fact name="External checks">Run once an hour once the archive is open to others.</Fact>}
      {outside?.certificates.map(({ of, endsAt, fault }) => (
        <Fact key={of} name={of}>
          {endsAt && (
            <>
              valid until <LocalTime at={endsAt} show="date" />
            </>
          )}
          {fault && ` ${fault}`}
        </Fact>
      ))}
      {outside?.providers.map(({ id, fault }) => (
        <Fact key={id} name={`Sign-in with ${id}`}>
          {fault ?? 'credentials accepted'}
        </Fact>
      ))}
      {outside && (
        <Fact name="Checked">
          <LocalTime at={outside.at} />
        </Fact>
      )}
    </Part>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  const id = `part-${name.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section className="status-part" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <dl>{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

const queueNames: Readonly<Record<WorkQueue['name'], string>> = {
  playable: 'Making playable',
  understood: 'Recognition',
  index: 'Search index',
};

/** `1.9 GB`, `340 MB`. */
function wordBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'] as const;
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

/** `40 s`, `12 min`, `3 hours`, `2 days`: from one instant to the other. */
function wordTimeBetween(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** How the archive stands with its backups. */
function wordBackupState(is: BackupState['is']): string {
  return { unneeded: 'none yet', never: 'never made', fine: 'up to date', late: 'too old', failed: 'failed' }[is];
}
