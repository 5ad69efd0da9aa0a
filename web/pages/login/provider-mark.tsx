import type { PageSettings } from '#contract/archive.ts';
import { Icon } from '#web/ui/icon.tsx';

/** The providers' own marks in their own colours; the icon set has no brands. */
export function ProviderMark({ id }: { id: PageSettings['providers'][number]['id'] }) {
  if (id === 'google') return <GoogleMark />;
  if (id === 'microsoft') return <MicrosoftMark />;
  return <Icon name="user-round" size={20} />;
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M22.5 12.270c0-.79-.07-1.540-.2-2.270H12v4.3h5.9a5.040 5.040 0 0 1-2.190 3.310v2.750h3.540c2.080-1.910 3.250-4.730 3.250-8.090z"
      />
      <path
        fill="#34A853"
        d="M12 23c2.950 0 5.430-.98 7.240-2.640l-3.540-2.750c-.98.66-2.230 1.050-3.7 1.050-2.850 0-5.260-1.920-6.120-4.510H2.230v2.840A10.940 10.940 0 0 0 12 23z"
      />
      <path fill="#FBBC05" d="M5.880 14.150a6.580 6.580 0 0 1 0-4.2V7.110H2.230a10.970 10.970 0 0 0 0 9.880z" />
      <path
        fill="#EA4335"
        d="M12 5.440c1.610 0 3.050.55 4.190 1.640l3.130-3.130A10.5 10.5 0 0 0 12 1 10.940 10.940 0 0 0 2.230 7.110l3.650 2.840C6.740 7.360 9.150 5.440 12 5.440z"
      />
    </svg>
  );
}

function MicrosoftMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path fill="#F25022" d="M2 2h9.5v9.5H2z" />
      <path fill="#7FBA00" d="M12.5 2H22v9.5h-9.5z" />
      <path fill="#00A4EF" d="M2 12.5h9.5V22H2z" />
      <path fill="#FFB900" d="M12.5 12.5H22V22h-9.5z" />
    </svg>
  );
}
