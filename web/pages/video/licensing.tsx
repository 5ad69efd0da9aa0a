import './licensing.css';
import { useState } from 'react';
import type { FilmFacts } from '#contract/films.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import type { VideoMoment } from '#web/embed/video-moments.ts';
import { pageSettings } from '#web/page-settings.ts';
import { Icon } from '#web/ui/icon.tsx';
import { type Store, useStore } from '#web/ui/store.ts';
import { type AboutFilm, cutText, describeFilm, writeLicenceLetter } from './about-film.ts';
import { RangeForm, type RangeFormProps } from './range-form.tsx';

type LicensingProps = Omit<RangeFormProps, 'email'>;

/** What is known of a film as a whole, whom to ask for a licence, and on paper what it says. */
export function BelowFilm({ facts, ...licensing }: Omit<LicensingProps, 'rights'> & { facts: FilmFacts | undefined }) {
  const { lines } = licensing.video;
  const about = facts && describeFilm(facts, { isSpoken: lines.some(({ kind }) => kind === 'Transcript') });
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
    <a href={`mailto:${email}?${writeLicenceLetter({ video, seconds, until: null, link: linkTo(video, seconds), rights })}`}>
      <Icon name="mail" />
      <span>{email}</span>
    </a>
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
      {lines.map(({ id, startInSeconds, speaker, text, language }) => (
        <li key={id}>
          <span className="tc">{formatTimeCode(startInSeconds)}</span>
          <span>
            {speaker && <bdi>{speaker}: </bdi>}
            <span lang={language ?? undefined}>{text}</span>
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
