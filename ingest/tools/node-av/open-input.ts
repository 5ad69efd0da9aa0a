import { Demuxer } from 'node-av/api';
import { inputOptions } from '../hardened-input.ts';

/** Opens a file of ours with the same limits as the command line has. */
export async function openInput(path: string): Promise<Demuxer> {
  if (!path.startsWith('/')) throw new Error('a tool gets absolute paths only');
  return await Demuxer.open(`file://${path}`, { options: inputOptions });
}
