import { setImmediate as afterOthers } from 'node:timers/promises';
import { Log, type Stream } from 'node-av';
import { type Decoder, Demuxer } from 'node-av/api';
import { AV_DISPOSITION_ATTACHED_PIC, AV_LOG_ERROR, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { refuseLargePictures, refuseTracks } from '../../media/refuse-tracks.ts';
import { inputOptions } from '../hardened-input.ts';
import { framesOf, openDecoder } from './decode-frames.ts';

// FFmpeg looks at 5 MB of a file to find out what its tracks are.
const lookedAtBytes = 6_000_000;

/**
 * Opens a file of ours with the same limits as the command line has. To find out about its tracks FFmpeg decodes their first pictures,
 * and to that our limits do not reach: they are drawn within the limits before. Throws a StepFailure for a file beyond them.
 */
export async function openInput(path: string): Promise<Demuxer> {
  if (!path.startsWith('/')) throw new Error('a tool gets absolute paths only');
  const address = `file://${path}`;
  await refuseByFirstPictures(address);
  return await Demuxer.open(address, { options: inputOptions });
}

async function refuseByFirstPictures(address: string): Promise<void> {
  let said = '';
  Log.setCallback(
    (_, line) => {
      said += line;
      process.stderr.write(line);
    },
    { maxLevel: AV_LOG_ERROR },
  );
  await using input = await Demuxer.open(address, { options: inputOptions, skipStreamInfo: true });
  refuseTracks(input.streams.map(toToldTrack));
  await drawFirstPictures(input);
  // What was said comes from another thread.
  await afterOthers();
  Log.resetCallback();
  refuseLargePictures(said);
}

function toToldTrack(stream: Stream) {
  const { codecType, width, height, channelLayout } = stream.codecpar;
  const channels = codecType === AVMEDIA_TYPE_AUDIO ? channelLayout.nbChannels : 0;
  return {
    isVideo: codecType === AVMEDIA_TYPE_VIDEO,
    isCover: stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
    width,
    height,
    channels,
  };
}

async function drawFirstPictures(input: Demuxer): Promise<void> {
  const waiting = new Map<number, Decoder>();
  for (const track of input.streams) {
    // A codec that is not taken is refused when the file is described.
    const decoder = track.codecpar.codecType === AVMEDIA_TYPE_VIDEO ? await openDecoder(track).catch(() => undefined) : undefined;
    if (decoder) waiting.set(track.index, decoder);
  }
  let bytes = 0;
  for (using packet of input.packetsSync()) {
    if (!packet || waiting.size === 0 || bytes > lookedAtBytes) break;
    bytes += packet.size;
    const decoder = waiting.get(packet.streamIndex);
    const frames = decoder ? framesOf(decoder, packet) : [];
    if (frames.length === 0) continue;
    for (const frame of frames) frame.free();
    // One at a time is enough of them in memory.
    decoder?.close();
    waiting.delete(packet.streamIndex);
  }
  for (const decoder of waiting.values()) decoder.close();
}
