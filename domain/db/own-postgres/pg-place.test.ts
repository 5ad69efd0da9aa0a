import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { refuseNetworkDisk } from './pg-place.ts';

const networks: [name: string, type: number][] = [
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['CIFS', 0xff534d42],
  ['CIFS', 0xff534d42 | 0],
  ['SMB2', 0xfe534d42],
  ['9p', 0x01021997],
  ['Ceph', 0x00c36400],
  ['AFS', 0x5346414f],
  ['GFS2', 0x01161970],
  ['OCFS2', 0x7461636f],
  ['Lustre', 0x0bd00bd0],
];

test.each(networks)('the database is refused on %s (%i), with a way out', (name, type) => {
  expect(() => refuseNetworkDisk('/somewhere/pg', { allowsFuse: true, type })).toThrow(
    new RegExp(`^The database cannot be kept in /somewhere/pg: that is ${name}, .+ RUSHES_DATA .+DATABASE_URL\\.$`),
  );
});

test('FUSE is refused unless the operator vouches for it', () => {
  expect(() => refuseNetworkDisk('/somewhere/pg', { allowsFuse: false, type: 0x65735546 })).toThrow(/FUSE .+ RUSHES_ALLOW_FUSE=1 /);
  refuseNetworkDisk('/somewhere/pg', { allowsFuse: true, type: 0x65735546 });
});

test.each([
  ['ext4', 0xef53],
  ['XFS', 0x58465342],
  ['btrfs', 0x9123683e],
  ['ZFS', 0x2fc12fc1],
  ['overlay', 0x794c7630],
  ['tmpfs', 0x01021994],
])('a disk of this machine (%s) is taken', (_, type) => refuseNetworkDisk('/somewhere/pg', { allowsFuse: false, type }));

test('the disk of a real folder is looked up', () => refuseNetworkDisk(tmpdir(), { allowsFuse: true }));
