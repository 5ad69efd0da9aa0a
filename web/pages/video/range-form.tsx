import '#web/styles/fields.css';
import { type MouseEvent, useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { mediaAddressesOf } from '#web/api/media.ts';
import { formatTimeCode, readTime } from '#web/components/text/time-code.ts';
import { filmsAreHere } from '#web/page-settings.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { type Store, useStore } from '#web/ui/store.ts';
import { type WatchedVideo, writeLicenceLetter } from './about-film.ts';
import type { MarkedRange, RangeEnd } from './licence-range.ts';

export interface RangeFormProps {
  video: WatchedVideo;
  rights: string | null;
  clock: Store<number>;
  range: MarkedRange;
  /** What it is for, in the visitor's words. */
  use: Store<string> & { set: (use: string) => void };
  linkTo: (video: WatchedVideo, seconds: number, until?: number) => string;
  /** Of whoever gives licences. */
  email: string;
}

/** A stretch of the film, and what it is for: a letter that says so is written by the visitor's own mail program. */
export function RangeForm({ video, rights, clock, range, use: keptUse, linkTo, email }: RangeFormProps) {
  const use = useStore(keptUse);
  const [clears, setClears] = useState(0);
  const id = useId();
  const marked = useStore(range);
  const [from, until] = range.ends();
  const link = range.isMarked() && until !== null ? linkTo(video, from, until) : linkTo(video, from);
  const letter = writeLicenceLetter({ video, seconds: from, until, link, rights, use });
  const clear = () => {
    range.clear();
    setClears(clears + 1);
  };
  const end = (which: RangeEnd) => ({
    which,
    videoId: video.id,
    mark: range.mark,
    now: clock.read,
    isSet: marked[which] !== null,
    // What was typed is of the end as it stood then.
    state: `${marked[which]} ${clears}`,
  });
  return (
    <section className="req" aria-labelledby={id}>
      <h3 id={id}>Request a licence for a range</h3>
      <div className="req-ends">
        <RangeEndField {...end('in')} label="In" keycap="I" seconds={from} />
        <RangeEndField {...end('out')} label="Out" keycap="O" seconds={until} />
      </div>
      <label className="field-label">
        What will you use it for? <span>Optional</span>
        <input
          className="field-input"
          value={use}
          maxLength={limits.licenceUseMaxCharacters}
          placeholder="Documentary, 4 minutes, European broadcast"
          onChange={({ target }) => keptUse.set(target.value)}
        />
      </label>
      <div className="req-foot">
        <p aria-live="polite">
          {until !== null && (
            <>
              Length <span className="tc">{formatTimeCode(until - from)}</span>
            </>
          )}
        </p>
        {range.isMarked() && (
          <>
            <IconButton icon="link" label="Copy range link" small onClick={() => copyText('Link', link)} />
            <Button look="ghost" size="small" onClick={clear}>
              Clear
            </Button>
          </>
        )}
        <a className={buttonClassFor('primary')} href={`mailto:${email}?${letter}`} onClick={mendFirst}>
          Request a licence
        </a>
      </div>
    </section>
  );
}

/** A time that nobody can read is mended before anything is sent. */
function mendFirst(event: MouseEvent<HTMLElement>): void {
  const wrong = event.currentTarget.closest('.req')?.querySelector<HTMLElement>('[data-unreadable]');
  if (!wrong) return;
  event.preventDefault();
  wrong.focus();
}

interface RangeEndFieldProps {
  which: RangeEnd;
  label: string;
  keycap: string;
  videoId: string;
  /** Null where nobody knows. */
  seconds: number | null;
  /** False while it is the film's own end. */
  isSet: boolean;
  /** Another one wherever the end was set or cleared. */
  state: string;
  mark: MarkedRange['mark'];
  now: () => number;
}

/** One end: its picture, its time to be typed, and the second that plays. */
function RangeEndField({ which, label, keycap, videoId, seconds, isSet, state, mark, now }: RangeEndFieldProps) {
  const [entry, setEntry] = useState<{ state: string; text: string; isWrong: boolean } | null>(null);
  const typed = entry?.state === state ? entry.text : null;
  const isWrong = typed !== null && entry?.isWrong === true;
  const id = useId();
  const type = (text: string | null, { isWrong = false } = {}) => setEntry(text === null ? null : { state, text, isWrong });
  const shown = seconds === null ? '' : formatTimeCode(seconds);
  const readMs = typed === null || typed === shown ? undefined : readTime(typed);
  const keep = () => {
    // What is no time stays, to be mended.
    if (readMs === null) return type(typed, { isWrong: true });
    if (readMs !== undefined) mark(which, readMs / 1_000);
    type(null);
  };
  const setToNow = () => {
    mark(which, now());
    type(null);
  };
  const frame = Math.floor(((seconds ?? 0) - (which === 'in' ? 0 : 1)) / limits.frameIntervalSeconds);
  return (
    <div className="req-end">
      <label htmlFor={id}>
        {label} <kbd className="keycap">{keycap}</kbd>
      </label>
      {filmsAreHere && (
        <div className="req-frame">
          {isSet && (
            <img
              key={frame}
              src={mediaAddressesOf(videoId).frame(frame)}
              alt=""
              // A film may have no small frames; the browser would draw a mark of its own.
              onError={({ currentTarget }) => {
                currentTarget.hidden = true;
              }}
            />
          )}
        </div>
      )}
      <div className="req-time">
        <input
          id={id}
          className="tc"
          value={typed ?? shown}
          data-unreadable={readMs === null || undefined}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
          onChange={({ target }) => type(target.value)}
          // Said while the link is being pressed, it would move the link from under the pointer; it leads back here.
          onBlur={({ relatedTarget }) => (readMs === null && relatedTarget instanceof HTMLAnchorElement) || keep()}
          onFocus={() => readMs === null && type(typed, { isWrong: true })}
          onKeyDown={({ key }) => {
            if (key === 'Enter') keep();
            if (key === 'Escape') type(null);
          }}
        />
        <Button look="ghost" size="small" aria-label={`Set to now: ${label}`} onClick={setToNow}>
          Set to now
        </Button>
      </div>
      {isWrong && (
        <p className="field-message" id={`${id}-fault`} role="alert">
          <Icon name="circle-alert" size={16} />
          Enter a time such as 00:14:07.
        </p>
      )}
    </div>
  );
}
