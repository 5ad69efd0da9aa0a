import { statfsSync } from 'node:fs';
import { OperatorFault } from '../operator-fault.ts';

/** What Linux calls the kinds of disks that another machine may write to as well. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
  [0x61636673, 'ACFS'],
  [0x20030528, 'OrangeFS'],
  [0x013111a8, 'IBRIX'],
  [0xbeefdead, 'SNFS'],
  [0x786f4256, 'a VirtualBox shared folder'],
  [0xbacbacbc, 'a VMware shared folder'],
  [0x7c7c6673, 'a Parallels shared folder'],
]);
const fuse = 0x65735546;

/**
 * Throws where the database may not lie: on a disk whose locks other machines do not heed, or that promises more than it keeps when the
 * power goes. `type` is the number that Linux gives the kind of disk. Only the database's own folder is asked for; media may lie anywhere.
 */
export function refuseNetworkDisk(folder: string, { allowsFuse, type = typeOf(folder) }: { allowsFuse: boolean; type?: number }): void {
  const wayOut = `Set RUSHES_DATA to a folder on a disk of this machine (its media folder may be a link to, or a mount of, the network), or name a database by DATABASE_URL`;
  // Some machines give the number with a sign.
  const kind = type >>> 0;
  const network = networkDisks.get(kind);
  if (network !== undefined)
    throw new OperatorFault(`The database cannot lie in ${folder}: that is ${network}, which several machines may write to. ${wayOut}.`);
  if (kind === fuse && !allowsFuse) {
    throw new OperatorFault(
      `The database cannot lie in ${folder}: that is a FUSE file system, whose locks and writes are only as good as the program behind it. ${wayOut}; RUSHES_ALLOW_FUSE=1 says that this one is a local disk that keeps what it was told to keep.`,
    );
  }
}

/** Only Linux has these numbers. */
function typeOf(folder: string): number {
  return process.platform === 'linux' ? Number(statfsSync(folder, { bigint: true }).type & 0xffffffffn) : 0;
}
