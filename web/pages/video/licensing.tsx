import { pageSettings } from '#web/page-settings.ts';
import { Icon } from '#web/ui/icon.tsx';

/** Whom to ask for a licence: the contact of the archive's settings. */
export function Licensing() {
  const { email, phone } = pageSettings.archive.contact;
  return (
    <section className="lic" aria-labelledby="licensing">
      <div>
        <h2 id="licensing">Licensing</h2>
        <p>To license this video, contact us by e-mail or phone.</p>
      </div>
      <div className="ct">
        {email && (
          <a href={`mailto:${email}`}>
            <Icon name="mail" />
            <span>{email}</span>
          </a>
        )}
        {phone && (
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
            <Icon name="phone" />
            <span className="tc">{phone}</span>
          </a>
        )}
      </div>
    </section>
  );
}
