import { Link } from 'react-router';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Logo } from './logo.tsx';
import { SocialMark } from './social-mark.tsx';

const { tagline, contact, policies, socialLinks } = pageSettings.archive;

export function Footer() {
  return (
    <footer className="footer">
      <div className="wrap">
        <div>
          <Logo />
          <p className="max-w-[34ch]">{tagline}</p>
        </div>
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact">Contact</h2>
          <ul>
            <li>
              <a href={`mailto:${contact.email}`}>{contact.email}</a>
            </li>
            <li>
              <a className="tc" href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`}>
                {contact.phone}
              </a>
            </li>
          </ul>
        </section>
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
