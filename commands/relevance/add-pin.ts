import { findVideos } from '#domain/videos/find-videos.ts';
import { type AskedArchive, askPin } from './ask-pin.ts';
import { keyOfPin, Pin, secondsOf } from './pin.ts';
import { RelevanceFault, writePins } from './pins-file.ts';

const withinByDefault = '3';

/** What a person typed. */
export interface WantedPin {
  readonly query: string;
  readonly video: string;
  readonly at: string | undefined;
  readonly within: string | undefined;
}

/**
 * Adds a pin to those of a file, or gives a pin that is there another place. Returns a sentence with its place now.
 * Throws a RelevanceFault for what no search can meet.
 */
export async function addPin(
  archive: AskedArchive,
  wanted: WantedPin,
  { file, pins }: { file: string; pins: readonly Pin[] },
): Promise<string> {
  const parsed = Pin.safeParse({
    query: wanted.query,
    video: wanted.video,
    ...(wanted.at === undefined ? {} : { at: wanted.at }),
    within: Number(wanted.within ?? withinByDefault),
  });
  if (!parsed.success)
    throw new RelevanceFault(parsed.error.issues.map(({ path, message }) => `${names[String(path[0])]} ${message}.`).join('\n'));
  const pin = parsed.data;
  await refuseImpossible(archive, pin);
  const known = pins.findIndex((other) => keyOfPin(other) === keyOfPin(pin));
  await writePins(file, known < 0 ? [...pins, pin] : pins.with(known, { ...pins[known], ...pin }));
  const { place, why } = await askPin(archive, pin);
  const now = place === null ? why : `now at place ${place}`;
  const holds = place !== null && place <= pin.within;
  return `Pinned in ${file}: ${now}.${holds ? '' : ` It fails until it is within ${pin.within}.`}`;
}

const names: Record<string, string> = { query: 'QUERY', video: 'VIDEO_ID', at: 'The time', within: '--within' };

async function refuseImpossible({ pool }: AskedArchive, { video: id, at }: Pin): Promise<void> {
  const [video] = await findVideos(pool, [id]);
  if (!video) throw new RelevanceFault(`No video of this archive has the id ${id}. It is the end of the address of the video's page.`);
  const length = video.durationInSeconds;
  if (at !== undefined && length > 0 && secondsOf(at) > length)
    throw new RelevanceFault(`${at} is after the end of the video, which is ${Math.floor(length)} seconds long.`);
}
