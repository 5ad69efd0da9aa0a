import { formatTimeCode } from '#web/components/text/time-code.ts';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useLettersOff } from '#web/ui/letter-keys.tsx';
import { useStore } from '#web/ui/store.ts';
import { type Deck, hasFullScreen, runCommand } from './deck.ts';
import { matchesAround } from './film-strip.ts';
import { isRunning } from './playback.ts';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** What the buttons on both sides of Play do, where shots are known and where they are not. */
const byShots = [
  { label: 'Previous shot', command: 'previous-shot' },
  { label: 'Next shot', command: 'next-shot' },
] as const;
const bySeconds = [
  { label: 'Back 10 seconds', command: 'back-10' },
  { label: 'Forward 10 seconds', command: 'forward-10' },
] as const;

export function Controls({ deck }: { deck: Deck }) {
  const isGoing = isRunning(useStore(deck.playback));
  const captions = useStore(deck.captions);
  // The list of keys is opened by one of those that are turned off.
  const isWithoutKey = useLettersOff();
  const [back, forward] = deck.shots.length > 0 ? byShots : bySeconds;
  return (
    <div className="tr">
      <IconButton icon="skip-back" label={back.label} className="wide-only" onClick={() => runCommand(back.command, deck)} />
      <IconButton icon={isGoing ? 'pause' : 'play'} label={isGoing ? 'Pause' : 'Play'} className="play" onClick={deck.playback.toggle} />
      <IconButton icon="skip-forward" label={forward.label} className="wide-only" onClick={() => runCommand(forward.command, deck)} />
      <Clock deck={deck} />
      <span className="sp" />
      <MatchNavigator deck={deck} />
      <span className="sp" />
      <SpeedChoice deck={deck} className="wide-only" />
      {captions.isAvailable && (
        <IconButton
          icon="captions"
          label="Captions"
          aria-pressed={captions.isShown}
          className="wide-only"
          onClick={() => runCommand('toggle-captions', deck)}
        />
      )}
      <Volume deck={deck} />
      {isWithoutKey && (
        <IconButton icon="keyboard" label="Keyboard shortcuts" className="wide-only" onClick={() => runCommand('show-help', deck)} />
      )}
      {hasFullScreen(deck.video) && (
        <IconButton icon="maximize" label="Full screen" className="roomy-only" onClick={() => runCommand('toggle-full-screen', deck)} />
      )}
      <More deck={deck} />
    </div>
  );
}

/** Where there is no film: how long it was, where one is in it, and its matches. */
export function StripControls({ deck }: { deck: Deck }) {
  return (
    <div className="tr">
      <Clock deck={deck} />
      <span className="sp" />
      <MatchNavigator deck={deck} />
    </div>
  );
}

function Clock({ deck }: { deck: Deck }) {
  const { currentTime, durationInSeconds } = useStore(deck.playback);
  return (
    <span className="tc now">
      <b>
        <time dateTime={`PT${Math.floor(currentTime)}S`}>{formatTimeCode(currentTime)}</time>
      </b>{' '}
      <span>/ {formatTimeCode(durationInSeconds)}</span>
    </span>
  );
}

const byPointer = 'data-by-pointer';

function SpeedChoice({ deck, className = '' }: { deck: Deck; className?: string }) {
  const { speed } = useStore(deck.playback);
  return (
    <select
      className={`speed ${className}`}
      aria-label="Speed"
      title="Speed"
      value={speed}
      onPointerDown={({ currentTarget }) => currentTarget.toggleAttribute(byPointer, true)}
      onKeyDown={({ currentTarget }) => currentTarget.removeAttribute(byPointer)}
      onChange={({ target }) => {
        deck.playback.setSpeed(Number(target.value));
        // While it has the focus keys find a speed in it: whoever came by pointer wants those of the player.
        if (target.hasAttribute(byPointer)) target.blur();
      }}
    >
      {speeds.map((each) => (
        <option key={each} value={each}>
          {each}×
        </option>
      ))}
    </select>
  );
}

/** On a telephone: what its row of controls has no room for. */
function More({ deck }: { deck: Deck }) {
  const captions = useStore(deck.captions);
  const { isMuted } = useStore(deck.playback);
  return (
    <>
      <IconButton icon="ellipsis" label="More" className="narrow-only" popoverTarget="more" />
      <div id="more" popover="auto" className="more">
        {captions.isAvailable && <MoreSwitch label="Captions" isOn={captions.isShown} onTurn={() => runCommand('toggle-captions', deck)} />}
        <MoreSwitch label="Sound" isOn={!isMuted} onTurn={() => runCommand('toggle-mute', deck)} />
        <div className="more-row">
          Speed
          <SpeedChoice deck={deck} />
        </div>
        <button type="button" className="more-row" onClick={() => runCommand('show-help', deck)}>
          Keyboard shortcuts
          <Icon name="keyboard" />
        </button>
        {hasFullScreen(deck.video) && (
          <button type="button" className="more-row tight-only" onClick={() => runCommand('toggle-full-screen', deck)}>
            Full screen
            <Icon name="maximize" />
          </button>
        )}
      </div>
    </>
  );
}

function MoreSwitch({ label, isOn, onTurn }: { label: string; isOn: boolean; onTurn: () => void }) {
  return (
    <button type="button" role="switch" aria-checked={isOn} className="more-row" onClick={onTurn}>
      {label}
      <i aria-hidden="true">{isOn ? 'On' : 'Off'}</i>
    </button>
  );
}

function MatchNavigator({ deck }: { deck: Deck }) {
  const playback = useStore(deck.playback);
  if (deck.found.length === 0) return null;
  const { number, previous, next } = matchesAround(deck.found, playback.currentTime, {
    openedAt: deck.openedAt,
    isPlaying: isRunning(playback),
  });
  return (
    <span className="mnav">
      <IconButton
        icon="chevron-left"
        label="Previous match"
        small
        aria-disabled={previous === undefined}
        onClick={() => runCommand('previous-match', deck)}
      />
      <em>
        <span className="wide-only">Match</span> {number} of {deck.found.length}
      </em>
      <IconButton
        icon="chevron-right"
        label="Next match"
        small
        aria-disabled={next === undefined}
        onClick={() => runCommand('next-match', deck)}
      />
    </span>
  );
}

function Volume({ deck }: { deck: Deck }) {
  const { volume, isMuted } = useStore(deck.playback);
  return (
    <span className="vol wide-only">
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={100}
        step={5}
        value={isMuted ? 0 : Math.round(volume * 100)}
        onChange={(event) => deck.playback.setVolume(Number(event.target.value) / 100)}
      />
      <IconButton
        icon={isMuted ? 'volume-x' : 'volume-2'}
        label={isMuted ? 'Turn sound on' : 'Mute'}
        onClick={() => runCommand('toggle-mute', deck)}
      />
    </span>
  );
}
