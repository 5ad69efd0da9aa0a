import { createRoot } from 'react-dom/client';
import { call } from '#web/api/call.ts';
import { loadStoryboard, mediaAddresses } from '#web/api/media.ts';
import { type EmbedAddress, takeEmbedAddress } from '../embed-address.ts';
import { findMoments } from '../find-moments.ts';
import { parentPage } from '../parent-page.ts';
import { listMoments } from '../video-moments.ts';
import { type Deck, listenForKeys } from './deck.ts';
import { hideWhenIdle } from './hide-when-idle.ts';
import { keepMediaSession } from './keep-media-session.ts';
import { openStream } from './open-stream.ts';
import { watchPlayback } from './playback.ts';
import { Player } from './player.tsx';
import './player.css';
import { speakWithPage } from './speak-with-page.ts';
import { watchCaptions } from './watch-captions.ts';

const address = takeEmbedAddress(window);
let deck = openDeck(address);
const root = createRoot(document.getElementById('root') ?? document.body);
const show = (more: Partial<Deck>) => {
  deck = { ...deck, ...more };
  root.render(<Player deck={deck} search={address.search} />);
};

show({});
listenForKeys(() => deck);
hideWhenIdle(document.documentElement);
loadStoryboard(address.videoId).then((storyboard) => show({ storyboard }));
loadFound(address).then((found) => show({ found }));

function openDeck({ videoId, startInSeconds, autoplay, search }: EmbedAddress): Deck {
  const media = mediaAddresses(videoId);
  const page = parentPage(window);
  const video = document.createElement('video');
  video.playsInline = true;
  const playback = watchPlayback(video);
  const captions = watchCaptions(video, media.captions);
  if (search) captions.suggest();
  video.addEventListener('click', playback.toggle);
  video.addEventListener('loadedmetadata', () => autoplay && playback.begin(captions.suggest), { once: true });
  speakWithPage(video, playback, page);
  const session = keepMediaSession(videoId, page, { onRenewed: () => stream.resume(), onFault: playback.setFault });
  const stream = openStream(video, {
    address: media.stream,
    startInSeconds,
    onFault: playback.setFault,
    onExpired: session.ask,
  });
  const retry = () => {
    playback.setFault(null);
    stream.reopen();
  };
  return {
    video,
    playback,
    captions,
    retry,
    found: [],
    storyboard: null,
    storyboardPicture: media.storyboardPicture,
    poster: media.poster,
  };
}

async function loadFound({ accountId, videoId, location, accessToken, search }: EmbedAddress) {
  if (!search) return [];
  try {
    const index = await call('videoIndex', { location, account: accountId, id: videoId, includeStreamingUrls: 'false' }, { accessToken });
    return findMoments(
      index.videos.flatMap((video) => listMoments(video.insights)),
      search,
    );
  } catch (reason) {
    console.error('The found moments of this video could not be read; it plays without them.', reason);
    return [];
  }
}
