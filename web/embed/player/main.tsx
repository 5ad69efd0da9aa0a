/*
 * The player: deck is what can be done with the film, by the keys of shortcuts as well; controls and timeline draw it, playback and open-stream play it.
 */
import { createRoot } from 'react-dom/client';
import { loadStoryboard, mediaAddressesOf } from '#web/api/media.ts';
import { type EmbedAddress, takeEmbedAddress } from '../embed-address.ts';
import { type ParentPage, parentPageOf } from '../parent-page.ts';
import { aimAt } from './aim-at.ts';
import { type Deck, listenForKeys, showOnDevice } from './deck.ts';
import { keepCdnCookie, keepMediaSession, openStream } from './open-stream.ts';
import './player.css';
import { type CSSProperties, useCallback } from 'react';
import { MarkedText } from '#web/components/text/marked-text.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LetterKeysSwitch } from '#web/ui/letter-keys.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { createStore, useStore } from '#web/ui/store.ts';
import { marksOfCaption } from '../marked-moment.ts';
import { Controls, StripControls } from './controls.tsx';
import { speakWithPage, watchPlayback } from './playback.ts';
import { Timeline } from './timeline.tsx';
import { watchCaptions } from './watch-captions.ts';

/** The deck: picture, film strip, controls. Dark in both themes. */
function Player({ deck }: { deck: Deck }) {
  const { status } = useStore(deck.playback);
  // Without a film there is nothing to handle.
  const isIdle = (status === 'absent' || status === 'denied') && deck.lacks !== 'media';
  return (
    <main data-theme="dark" aria-label="Player">
      <h1 className="sr-only">Player</h1>
      <section className={deck.lacks === null ? 'deck deck-captions' : 'deck'} aria-label="Player">
        {deck.lacks === 'media' ? <p className="deck-note">{sentences.absent}</p> : <Picture deck={deck} />}
        <div className="desk" inert={isIdle}>
          <Timeline deck={deck} />
          {deck.lacks === 'media' ? <StripControls deck={deck} /> : <Controls deck={deck} />}
        </div>
      </section>
      <p className="sr-only" role="status">
        {useStore(deck.said)}
      </p>
      <ShortcutHelp />
    </main>
  );
}

const shortcutHelp: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Space', 'K'], does: 'Play or pause' },
  { keys: ['J', 'L'], does: 'Back or forward 10 seconds' },
  { keys: ['←', '→'], does: 'Back or forward 5 seconds' },
  { keys: [',', '.'], does: 'Previous or next frame' },
  { keys: ['N', 'Shift N'], does: 'Next or previous match' },
  { keys: ['[', ']'], does: 'Previous or next shot' },
  { keys: ['I', 'O'], does: 'Set start or end of the licence range' },
  { keys: ['↑', '↓'], does: 'Louder or quieter, in the player' },
  { keys: ['M'], does: 'Sound on or off' },
  { keys: ['C'], does: 'Captions on or off' },
  { keys: ['F'], does: 'Full screen' },
  { keys: ['/'], does: 'Search the archive' },
  { keys: ['?'], does: 'This list' },
];

/** The list under `?`. */
function ShortcutHelp() {
  return (
    <dialog id="shortcut-help" className="keys" aria-labelledby="shortcut-help-title">
      <header>
        <h2 id="shortcut-help-title">Keyboard shortcuts</h2>
        <form method="dialog">
          <IconButton icon="x" label="Close" type="submit" />
        </form>
      </header>
      <dl>
        {shortcutHelp.filter(isOfUse).map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className="keycap">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <LetterKeysSwitch />
    </dialog>
  );
}

/** Without a contact nobody is asked for a licence. */
function isOfUse({ keys }: (typeof shortcutHelp)[number]): boolean {
  return Boolean(pageSettings.archive.contact.email) || !keys.includes('I');
}

/** The picture and what may lie on it: poster, caption, a word about the state. */
function Picture({ deck }: { deck: Deck }) {
  const { status, hasPicture, isSoundRefused } = useStore(deck.playback);
  const place = useCallback((node: HTMLDivElement | null) => node?.prepend(deck.video), [deck.video]);
  return (
    <div className="pic" ref={place}>
      {!hasPicture && status !== 'absent' && <img className="poster" src={deck.poster} alt="" />}
      <Outlines deck={deck} />
      <Caption deck={deck} />
      {isSoundRefused && (
        <button type="button" className="sound-off" onClick={() => deck.playback.setMuted(false)}>
          <Icon name="volume-x" size={18} />
          Sound is off
        </button>
      )}
      {(status === 'loading' || status === 'buffering') && (
        <div className="pic-note pic-wait">
          <Spinner label={status === 'loading' ? 'Loading' : 'Buffering'} />
        </div>
      )}
      {status === 'ended' && (
        <div className="pic-note">
          <Button look="primary" onClick={deck.playback.play}>
            <Icon name="rotate-cw" size={16} />
            Play again
          </Button>
        </div>
      )}
      <Fault deck={deck} />
    </div>
  );
}

/** The places of written texts that somebody points at, while the picture shows them. */
function Outlines({ deck }: { deck: Deck }) {
  const { currentTime } = useStore(deck.playback);
  const { videoWidth, videoHeight } = deck.video;
  const shown = deck.outlined.filter(({ startInSeconds, endInSeconds }) => startInSeconds <= currentTime && currentTime < endInSeconds);
  if (shown.length === 0 || videoWidth === 0) return null;
  const percent = (share: number) => `${share * 100}%`;
  return (
    <div className="outlines" style={{ '--shape': videoWidth / videoHeight } as CSSProperties} aria-hidden="true">
      {shown.map(({ left, top, width, height }) => (
        <i key={`${left} ${top}`} style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }} />
      ))}
    </div>
  );
}

function Caption({ deck }: { deck: Deck }) {
  const { isShown, text } = useStore(deck.captions);
  if (!isShown || text === '') return null;
  return (
    <p className="cap" lang={deck.spokenIn}>
      <MarkedText text={text} ranges={marksOfCaption(deck.found, text)} />
    </p>
  );
}

const sentences = {
  failed: 'This video cannot be played right now.',
  away: 'The connection to this video was lost. It goes on when it is back.',
  absent: 'There is no playable copy of this recording.',
  denied: 'You no longer have access to this video.',
} as const;

function Fault({ deck }: { deck: Deck }) {
  const { status } = useStore(deck.playback);
  if (status !== 'failed' && status !== 'away' && status !== 'absent' && status !== 'denied') return null;
  return (
    <div className="pic-note pic-fault" role={status === 'absent' ? 'status' : 'alert'}>
      <p>{sentences[status]}</p>
      {(status === 'failed' || status === 'away') && (
        <Button look="primary" onClick={deck.retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const address = takeEmbedAddress(window);
const page = parentPageOf(window);
let deck = openDeck(address, page);
const root = createRoot(document.getElementById('root') ?? document.body);
const show = (more: Partial<Deck>) => {
  deck = { ...deck, ...more };
  root.render(<Player deck={deck} />);
};

show({});
listenForKeys(() => deck, page);
if (address.lacks !== 'media') showOnDevice(() => deck, page);
hideWhenIdle(document.documentElement);
if (address.lacks !== 'media') loadStoryboard(address.videoId).then((storyboard) => show({ storyboard }));
// The insights ask for both frames.
page.listen(({ found, shots, speech, range, outlined, spokenIn }) => {
  if (found) show({ found });
  if (shots) show({ shots });
  if (speech) show({ speech });
  if (range) show({ range });
  if (outlined) show({ outlined });
  if (spokenIn) show({ spokenIn });
});

function openDeck({ videoId, startInSeconds, autoplay, search, lacks, durationInSeconds }: EmbedAddress, parent: ParentPage): Deck {
  const media = mediaAddressesOf(videoId);
  const video = document.createElement('video');
  video.playsInline = true;
  const playback = watchPlayback(video, durationInSeconds);
  const captions = watchCaptions(video, lacks === null ? media.captions : null);
  if (search) captions.suggest();
  video.addEventListener('click', playback.toggle);
  video.addEventListener('loadedmetadata', () => autoplay && playback.begin(captions.suggest), { once: true });
  speakWithPage(video, playback, parent);
  const { poster, storyboardPicture, frame } = media;
  const told = { found: [], shots: [], speech: [], range: [], outlined: [] };
  const pictures = { storyboard: null, storyboardPicture, poster, frame };
  const shown = { video, playback, captions, lacks, openedAt: startInSeconds, said: createStore(''), ...told, ...pictures };
  if (lacks === 'media') {
    playback.seek(startInSeconds);
    playback.setFault('absent');
    return { ...shown, retry: () => undefined };
  }
  if (pageSettings.cdn) keepCdnCookie(videoId, video);
  const session = keepMediaSession(videoId, parent, { onRenewed: goOn, onFault: playback.setFault });
  const stream = openStream(video, {
    address: media.stream,
    startInSeconds: aimAt(startInSeconds),
    onFault: playback.setFault,
    onExpired: session.ask,
  });
  function goOn() {
    playback.setFault(null);
    stream.resume();
  }
  const retry = () => {
    playback.setFault(null);
    stream.retry();
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
