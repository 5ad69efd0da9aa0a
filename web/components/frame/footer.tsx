import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { narrowToHeld } from '../text/own-words.ts';
import { Logo } from './header.tsx';

const { tagline, contact, policies, socialLinks } = pageSettings.archive;
const { email, phone } = contact;

export function Footer() {
  return (
    <footer className="footer">
      <div className="wrap">
        <div>
          <Logo />
          <p className="max-w-[34ch]">{narrowToHeld(tagline, pageSettings.holds)}</p>
        </div>
        {(email || phone) && (
          <section aria-labelledby="footer-contact">
            <h2 id="footer-contact">Contact</h2>
            <ul>
              {email && (
                <li>
                  <a href={`mailto:${email}`}>{email}</a>
                </li>
              )}
              {phone && (
                <li>
                  <a className="tc" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
                    {phone}
                  </a>
                </li>
              )}
            </ul>
          </section>
        )}
        <nav aria-labelledby="footer-policies">
          <h2 id="footer-policies">Policies</h2>
          <ul>
            <li>
              <Link to={paths.privacy}>{policies.privacy.title}</Link>
            </li>
            <li>
              <Link to={paths.cookies}>{policies.cookies.title}</Link>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-follow">
          <h2 id="footer-follow">Follow</h2>
          <div className="footer-social">
            {socialLinks.map(({ name, href }) => (
              <a key={href} className="icon-btn" href={href} aria-label={name} title={name} rel="noreferrer">
                <SocialMark name={name} />
              </a>
            ))}
            <a className="icon-btn" href={paths.feed} aria-label="Feed of the newest videos" title="Feed of the newest videos">
              <SocialMark name="rss" />
            </a>
          </div>
        </nav>
      </div>
    </footer>
  );
}

/** Brand marks are not part of the icon set; a network without a mark here gets a link sign. */
const marks = new Map<string, ReactNode>([
  [
    'youtube',
    <>
      <rect x="2.5" y="5.5" width="19" height="13" rx="4" />
      <path d="m10.2 9.2 4.8 2.8-4.8 2.8z" fill="currentColor" />
    </>,
  ],
  [
    'vimeo',
    <path
      key="vimeo"
      d="M3 9.2c2-1.7 3.6-3.4 5-3.5 1.7-.1 2.5 1.2 2.9 3.3.5 2.7.9 5.3 1.7 5.3.8 0 2.6-3 2.7-4.3.1-1.2-.7-1.6-1.9-1.2 1-3.1 2.9-4 5-3.7 1.7.3 2.2 1.9 1.6 4.3-1 4-5.9 10-9 10-3.2 0-3.3-7-4.6-9.6-.3-.6-1-.5-2.4.5z"
    />,
  ],
  [
    'instagram',
    <>
      <rect x="3" y="3" width="18" height="18" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <circle cx="17.2" cy="6.8" r=".6" fill="currentColor" />
    </>,
  ],
]);

function SocialMark({ name }: { name: string }) {
  const key = name.toLowerCase();
  const mark = marks.get(key);
  if (!mark) return <Icon name={key.includes('rss') ? 'rss' : 'link'} size={20} />;
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {mark}
    </svg>
  );
}
