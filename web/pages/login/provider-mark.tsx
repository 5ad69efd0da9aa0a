import type { PageSettings } from '#contract/archive.ts';

type ProviderId = PageSettings['providers'][number]['id'];

const marks: Readonly<Record<ProviderId, () => React.JSX.Element>> = {
  google: GoogleMark,
  microsoft: MicrosoftMark,
  facebook: FacebookMark,
  twitter: TwitterMark,
};

/** The providers' own marks in their own colours; the icon set has no brands. */
export function ProviderMark({ id }: { id: ProviderId }) {
  const Mark = marks[id];
  return <Mark />;
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

function FacebookMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill="#0866FF" />
      <path
        fill="#fff"
        d="M10.300 22.870v-7.400H7.700V12h2.600v-1.600c0-3.800 1.750-5.600 5.500-5.600.7 0 1.900.13 2.400.27v3.050a14 14 0 0 0-1.280-.04c-1.820 0-2.530.69-2.530 2.480V12h3.640l-.63 3.470h-3.010v7.400a11 11 0 0 1-4.090 0z"
      />
    </svg>
  );
}

function TwitterMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="currentColor"
        d="M18.240 2.250h3.310l-7.230 8.260 8.500 11.240h-6.660l-5.210-6.820-5.970 6.820H1.670l7.730-8.840L1.250 2.250h6.830l4.710 6.230zm-1.160 17.520h1.830L7.080 4.130H5.120z"
      />
    </svg>
  );
}
