import { Link } from 'react-router';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';

const { name, logoSvg } = pageSettings.archive;
// As an image, so that nothing inside a given drawing can run.
const ownMark = logoSvg && URL.createObjectURL(new Blob([logoSvg], { type: 'image/svg+xml' }));

export function Logo() {
  return (
    <Link className="logo" to={paths.home} aria-label={`${name}, home`}>
      {ownMark ? <img src={ownMark} alt="" width={30} height={22} /> : <FilmMark />}
      {name}
    </Link>
  );
}

function FilmMark() {
  return (
    <svg viewBox="0 0 30 22" fill="none" aria-hidden="true">
      <rect x="1" y="1" width="28" height="20" rx="4" stroke="currentColor" strokeWidth="2" />
      <path d="M6.5 1.5v19M23.5 1.5v19" stroke="currentColor" strokeWidth="1.4" strokeDasharray="2.6 2.6" />
      <rect x="14.2" y="-.5" width="4.6" height="23" rx="1.4" fill="#ffc033" transform="skewX(-6) translate(1.2 0)" />
    </svg>
  );
}
