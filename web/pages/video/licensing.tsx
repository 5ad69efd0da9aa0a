import './licensing.css';
import '#web/styles/fields.css';
import { type MouseEvent, useId, useState } from 'react';
import type { FilmFacts } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import { mediaAddresses } from '#web/api/media.ts';
import { formatTimeCode, readTime } from '#web/components/text/time-code.ts';
import type { VideoMoment } from '#web/embed/video-moments.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type Store, useStore } from '#web/ui/store.ts';
import { type AboutFilm, aboutFilm, cutText, licenceLetter, type WatchedVideo } from './about-film.ts';
import type { MarkedRange, RangeEnd } from './licence-range.ts';

interface LicensingProps {
  video: WatchedVideo;
  rights: string | null;
  clock: Store<number>;
  range: MarkedRange;
  linkTo: (video: WatchedVideo, seconds: number) => string;
}

/** What is known of a film as a whole, whom to ask for a licence, and on paper what it says. */
export function BelowFilm({ facts, ...licensing }: Omit<LicensingProps, 'rights'> & { facts: FilmFacts | undefined }) {
  const { lines } = licensing.video;
  const about = facts && aboutFilm(facts, { isSpoken: lines.some(({ kind }) => kind === 'Transcript') });
  return (
    <>
      {about && <About about={about} />}
      <Licensing {...licensing} rights={about?.rights ?? null} />
      <PrintedLines lines={lines} />
    </>
  );
}

/** What is known of the film as a whole. */
function About({ about: { description, facts } }: { about: AboutFilm }) {
  const [isWhole, setWhole] = useState(false);
  const [beginning, rest] = cutText(description, descriptionShown);
  if (beginning === '' && facts.length === 0) return null;
  return (
    <section className="about" aria-label="About this video">
      {beginning && (
        <p>
          <bdi>
            {beginning}
            {rest && !isWhole && <span className="about-more">…</span>}
            {rest && <span className={isWhole ? undefined : 'about-rest'}>{rest}</span>}
          </bdi>
          {rest && (
            <button type="button" className="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show less' : 'Show all'}
            </button>
          )}
        </p>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
    </section>
  );
}

const descriptionShown = 320;

/** Whom to ask for a licence: the contact of the archive's settings. */
function Licensing(props: LicensingProps) {
  const { email, phone } = pageSettings.archive.contact;
  const { rights } = props;
  const ways = [email && 'e-mail', phone && 'phone'].filter(Boolean);
  if (ways.length === 0 && !rights) return null;
  return (
    <section className="lic" aria-labelledby="licensing">
      <div>
        <h2 id="licensing">Licensing</h2>
        {ways.length > 0 && <p>To license this video, contact us by {ways.join(' or ')}.</p>}
        {rights && <Facts facts={[['Rights', rights]]} />}
        <div className="ct">
          {email && <MailLink {...props} email={email} />}
          {phone && (
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
              <Icon name="phone" />
              <span className="tc">{phone}</span>
            </a>
          )}
        </div>
      </div>
      {email && <RangeForm {...props} email={email} />}
    </section>
  );
}

/** A letter that begins with what is on show. */
function MailLink({ video, rights, clock, linkTo, email }: LicensingProps & { email: string }) {
  const seconds = Math.floor(useStore(clock));
  return (
    <a href={`mailto:${email}?${licenceLetter({ video, seconds, until: null, link: linkTo(video, seconds), rights })}`}>
      <Icon name="mail" />
      <span>{email}</span>
    </a>
  );
}

/** A stretch of the film, and what it is for: a letter that says so is written by the visitor's own mail program. */
function RangeForm({ video, rights, clock, range, linkTo, email }: LicensingProps & { email: string }) {
  const [use, setUse] = useState('');
  const [clears, setClears] = useState(0);
  const id = useId();
  const marked = useStore(range);
  const [from, until] = range.ends();
  const letter = licenceLetter({ video, seconds: from, until, link: linkTo(video, from), rights, use });
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
          maxLength={300}
          placeholder="Documentary, 4 minutes, European broadcast"
          onChange={({ target }) => setUse(target.value)}
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
          <Button look="ghost" size="small" onClick={clear}>
            Clear
          </Button>
        )}
        <a className={buttonClass('primary')} href={`mailto:${email}?${letter}`} onClick={mendFirst}>
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
    <div>
      <label htmlFor={id}>
        {label} <kbd className="keycap">{keycap}</kbd>
      </label>
      {filmsAreHere && (
        <div className="req-frame">
          {isSet && (
            <img
              key={frame}
              src={mediaAddresses(videoId).frame(frame)}
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

/** Facts of a film, each with its name. */
function Facts({ facts }: Pick<AboutFilm, 'facts'>) {
  return (
    <dl className="facts">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is said and written, drawn only to be printed: on paper the frame beside it would show the piece that is in sight. */
function PrintedLines({ lines }: { lines: readonly VideoMoment[] }) {
  const [printing] = useState(openPrinting);
  if (!useStore(printing)) return null;
  return (
    <ol className="printed-lines">
      {lines.map(({ id, startInSeconds, speaker, text }) => (
        <li key={id}>
          <span className="tc">{formatTimeCode(startInSeconds)}</span>
          <span>
            {speaker && <bdi>{speaker}: </bdi>}
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Whether the page is being printed. */
function openPrinting(): Store<boolean> {
  const paper = matchMedia('print');
  let isPrinting = paper.matches;
  return {
    read: () => isPrinting,
    subscribe: (changed) => {
      const stops = new AbortController();
      const { signal } = stops;
      const print = (next: boolean) => {
        isPrinting = next;
        changed();
      };
      window.addEventListener('beforeprint', () => print(true), { signal });
      window.addEventListener('afterprint', () => print(false), { signal });
      paper.addEventListener('change', ({ matches }) => print(matches), { signal });
      return () => stops.abort();
    },
  };
}
