import { IconButton } from '#web/ui/icon-button.tsx';
import { formatTimeCode } from '../time-code.ts';
import { useStore } from '../use-store.ts';
import { type Deck, runCommand } from './deck.ts';
import { matchesAround } from './film-strip.ts';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

export function Controls({ deck }: { deck: Deck }) {
  const { status, speed, currentTime, durationInSeconds } = useStore(deck.playback);
  const captions = useStore(deck.captions);
  const isRunning = status === 'playing' || status === 'buffering';
  return (
    <div className="tr">
      <IconButton icon="skip-back" label="Back 10 seconds" className="wide-only" onClick={() => runCommand('back-10', deck)} />
      <IconButton
        icon={isRunning ? 'pause' : 'play'}
        label={isRunning ? 'Pause' : 'Play'}
        className="play"
        onClick={deck.playback.toggle}
      />
      <IconButton icon="skip-forward" label="Forward 10 seconds" className="wide-only" onClick={() => runCommand('forward-10', deck)} />
      <span className="tc now">
        <b>
          <time dateTime={`PT${Math.floor(currentTime)}S`}>{formatTimeCode(currentTime)}</time>
        </b>{' '}
        / {formatTimeCode(durationInSeconds)}
      </span>
      <span className="sp" />
      <MatchNavigator deck={deck} />
      <span className="sp" />
      <select
        className="speed wide-only"
        aria-label="Speed"
        title="Speed"
        value={speed}
        onChange={(event) => deck.playback.setSpeed(Number(event.target.value))}
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
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
      {document.fullscreenEnabled && (
        <IconButton icon="maximize" label="Full screen" onClick={() => runCommand('toggle-full-screen', deck)} />
      )}
    </div>
  );
}

function MatchNavigator({ deck }: { deck: Deck }) {
  const { currentTime } = useStore(deck.playback);
  if (deck.found.length === 0) return null;
  const { number, previous, next } = matchesAround(deck.found, currentTime);
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
