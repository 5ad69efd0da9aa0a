import { createRoot } from 'react-dom/client';
import { loadStoryboard, mediaAddresses } from '#web/api/media.ts';
import { type EmbedAddress, takeEmbedAddress } from '../embed-address.ts';
import { type ParentPage, parentPage } from '../parent-page.ts';
import { aimAt } from './aim-at.ts';
import { type Deck, listenForKeys } from './deck.ts';
import { keepMediaSession, openStream } from './open-stream.ts';
import { Player } from './player.tsx';
import './player.css';
import { speakWithPage, watchPlayback } from './playback.ts';
import { watchCaptions } from './watch-captions.ts';

const address = takeEmbedAddress(window);
const page = parentPage(window);
let deck = openDeck(address, page);
const root = createRoot(document.getElementById('root') ?? document.body);
const show = (more: Partial<Deck>) => {
  deck = { ...deck, ...more };
  root.render(<Player deck={deck} />);
};

show({});
listenForKeys(() => deck, page);
hideWhenIdle(document.documentElement);
if (address.lacks !== 'media') loadStoryboard(address.videoId).then((storyboard) => show({ storyboard }));
// The insights ask for both frames.
page.listen(({ found, shots, speech, outlined }) => {
  if (found) show({ found });
  if (shots) show({ shots });
  if (speech) show({ speech });
  if (outlined) show({ outlined });
});

function openDeck({ videoId, startInSeconds, autoplay, search, lacks, durationInSeconds }: EmbedAddress, parent: ParentPage): Deck {
  const media = mediaAddresses(videoId);
  const video = document.createElement('video');
  video.playsInline = true;
  const playback = watchPlayback(video, durationInSeconds);
  const captions = watchCaptions(video, lacks === null ? media.captions : null);
  if (search) captions.suggest();
  video.addEventListener('click', playback.toggle);
  video.addEventListener('loadedmetadata', () => autoplay && playback.begin(captions.suggest), { once: true });
  speakWithPage(video, playback, parent);
  const { poster, storyboardPicture } = media;
  const told = { found: [], shots: [], speech: [], outlined: [] };
  const shown = { video, playback, captions, lacks, ...told, storyboard: null, storyboardPicture, poster };
  if (lacks === 'media') {
    playback.seek(startInSeconds);
    playback.setFault('absent');
    return { ...shown, retry: () => undefined };
  }
  const session = keepMediaSession(videoId, parent, { onRenewed: () => stream.resume(), onFault: playback.setFault });
  const stream = openStream(video, {
    address: media.stream,
    startInSeconds: aimAt(startInSeconds),
    onFault: playback.setFault,
    onExpired: session.ask,
  });
  const retry = () => {
    playback.setFault(null);
    stream.reopen();
  };
  return { ...shown, retry };
}

const idleAfterMs = 3_000;

/** Marks the document while nobody has moved or pressed anything for three seconds; full screen hides its controls then. */
function hideWhenIdle(root: HTMLElement): void {
  let timer = 0;
  const wake = () => {
    delete root.dataset.idle;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      root.dataset.idle = '';
    }, idleAfterMs);
  };
  for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin']) window.addEventListener(sign, wake);
  wake();
}
