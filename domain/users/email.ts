import { domainToASCII } from 'node:url';
import { serverLimits } from '#contract/limits.ts';

/** Dot-atom local part and a host name of letters, digits and hyphens: nothing in it can mean something else to a mail system. */
const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const hostName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The address in small letters, its host in punycode; null when it is not a plain one. */
export function parseEmail(text: string): string | null {
  // Asked first: putting a host's marks in order takes time that grows with the square of their number.
  if (text.length > serverLimits.emailReadMaxCharacters) return null;
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, writtenHost] = [address.slice(0, at), address.slice(at + 1)];
  // Full-width letters and the like would turn into another host than the one that was read.
  const isPlain = /^[\p{L}\p{M}\p{N}.-]+$/u.test(writtenHost) && writtenHost === writtenHost.normalize('NFKC');
  const host = isPlain ? domainToASCII(writtenHost) : '';
  if (at < 1 || local.length > 64 || local.length + host.length > 253) return null;
  // Some mailers unfold an encoded word into a second address.
  return dotAtom.test(local) && hostName.test(host) && !/=\?.*\?/.test(local) ? `${local}@${host}` : null;
}
