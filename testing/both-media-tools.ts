import { join } from 'node:path';
import { findMediaTools } from '#ingest/open-ingest.ts';
import type { MediaTools } from '#ingest/tools/media-tools.ts';
import { findSandbox } from '#ingest/tools/sandbox.ts';
import { ffmpegPath } from './media-clips.ts';

/** The two tools that footage is read with, by name. What a sandbox keeps lies in this folder. */
export async function openBothTools(folder: string): Promise<Record<'ffmpeg' | 'node-av', MediaTools>> {
  const sandbox = await findSandbox(join(folder, 'data'));
  return {
    ffmpeg: await findMediaTools({ ffmpegPath, searchPath: '' }, sandbox),
    'node-av': await findMediaTools({ ffmpegPath: undefined, searchPath: '' }, sandbox),
  };
}
