import { connect } from 'node:net';
import { serverLimits } from '#contract/limits.ts';
import { isLoopback } from '#domain/signin/is-loopback.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { readSharedSecrets } from '#domain/tokens/secrets.ts';
import { type IngestConfig, IngestConfigFault, readIngestConfig } from '#ingest/config.ts';
import { checkWatchedFolder } from '#ingest/footage/watch-folder.ts';
import { type Config, ConfigFault, readConfig } from '#server/config.ts';
import { readArchiveSettings } from '#server/context.ts';
import { openMailer } from '#server/mail/open-mailer.ts';
import { checkPort } from '#server/start-checks.ts';
import { checkCertificateEnd, openOutlook } from '#server/status/look-outside.ts';
import { type Finding, makeFault, makeHint } from './finding.ts';

type Environment = Record<string, string | undefined>;

export interface Settings {
  readonly config: Config;
  readonly ingest: IngestConfig;
}

/** The settings, where the server and the worker would take them; else what is wrong with each. */
export function readSettings(environment?: Environment): { settings?: Settings; findings: Finding[] } {
  const findings: Finding[] = [];
  const read = <T>(by: (environment?: Environment) => T): T | undefined => {
    try {
      return by(environment);
    } catch (error) {
      if (!(error instanceof ConfigFault || error instanceof IngestConfigFault)) throw error;
      const known = new Set(findings.map(({ says }) => says));
      const lines = error.message.split('\n').filter((line) => !known.has(line));
      findings.push(
        ...lines.map((line) =>
          makeFault(line.split(' ')[0] ?? 'settings', line, 'Correct or remove that setting: docs/operations.md, “Settings”.'),
        ),
      );
      return undefined;
    }
  };
  const [config, ingest] = [read(readConfig), read(readIngestConfig)];
  return config && ingest ? { settings: { config, ingest }, findings } : { findings };
}

/** What can be set and yet be wrong: the port, shared secrets, the name, mail, proxies, the file about the archive, certificates and credentials. */
export async function lookAtSettings({ config, ingest }: Settings): Promise<Finding[]> {
  const watched = await lookAtWatchedFolder(ingest);
  // A machine that only works on films answers nobody, signs nothing and sends no mail.
  if (config.roles === 'ingest') return watched;
  return [
    ...(await lookAtPort(config)),
    ...lookAtSecrets(config),
    ...lookAtAddress(config),
    ...(await lookAtMail(config)),
    ...lookAtArchiveFile(config),
    ...watched,
    ...(await lookOutside(config)),
  ];
}

async function lookAtPort({ listen }: Config): Promise<Finding[]> {
  try {
    await checkPort(listen);
    return [];
  } catch (error) {
    // An archive that runs has its port.
    if (await isArchive(listen)) return [];
    return [makeFault('port', errorMessageOf(error), 'ss -ltnp shows which program has it.')];
  }
}

async function isArchive({ host, port }: Config['listen']): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host: anywhere.get(host) ?? host, port, timeout: serverLimits.portAnswersWithinMs });
  const said: string[] = [];
  socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'));
  socket.on('data', (piece) => said.push(String(piece)));
  for (const event of ['close', 'error', 'timeout']) socket.on(event, () => resolve(said.join('')));
  const answer = await promise;
  socket.destroy();
  return /^HTTP\/1\.1 200 [\s\S]*\bok\n/.test(answer);
}

/** What is listened on for every address of a machine, and one of these. */
const anywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

function lookAtSecrets({ secretsFile }: Config): Finding[] {
  if (secretsFile === undefined) return [];
  try {
    readSharedSecrets(secretsFile);
    return [];
  } catch (error) {
    return [makeFault('secrets', errorMessageOf(error), 'It must be the same on every machine and readable for the archive’s user.')];
  }
}

function lookAtAddress({ practice, publicUrl, trustedProxies, listen }: Config): Finding[] {
  const url = new URL(publicUrl);
  if (practice)
    return [
      makeHint('practice', 'This is a practice archive: it only answers on this machine.', 'Set RUSHES_PUBLIC_URL to open it to others.'),
    ];
  const findings: Finding[] = [];
  // The archive itself speaks no TLS: what comes by https has come past a proxy.
  if (url.protocol === 'https:' && trustedProxies.length === 0 && !isLoopback(url.hostname)) {
    const says =
      'RUSHES_TRUST_PROXY is empty, but https needs a proxy: all visitors count as one network, sharing ten sign-in links and one search quota.';
    findings.push(makeFault('proxies', says, 'Set it to the proxy’s address: RUSHES_TRUST_PROXY=127.0.0.1 for one on this machine.'));
  }
  const areHere = trustedProxies.length > 0 && trustedProxies.every((proxy) => /^(127\.|::1$|loopback$)/.test(proxy));
  if (url.protocol === 'https:' && listen.host === '0.0.0.0' && areHere)
    findings.push(
      makeHint(
        'listen',
        'The archive listens on every address of this machine, so it can be reached without the proxy.',
        'Set RUSHES_LISTEN=127.0.0.1 to admit only a proxy on this machine.',
      ),
    );
  return findings;
}

async function lookAtMail(config: Config): Promise<Finding[]> {
  if (config.practice) return [];
  if (!config.mail.smtpUrl) {
    const says = 'SMTP_URL is missing: nobody can sign in by e-mail, and nobody is told when their account is activated.';
    return [makeHint('mail', says, 'Set SMTP_URL=smtp://user:password@host:587.')];
  }
  const { mail } = openMailer(config, 'the doctor');
  const findings = await mail?.pretend().then(
    () => [],
    (error: unknown) => [
      makeFault(
        'mail',
        `The mail server rejects the archive: ${errorMessageOf(error)}`,
        'Correct SMTP_URL, or have the mail server accept mail from here.',
      ),
    ],
  );
  mail?.close();
  return findings ?? [];
}

function lookAtArchiveFile(config: Config): Finding[] {
  const { archiveFile } = config;
  const findings: Finding[] = [];
  readArchiveSettings(config, {
    debug: () => {},
    info: () => {},
    warn: () => {
      const says = `${archiveFile} is the one that the archive came with: its contact is nobody’s, and the next version comes with it again.`;
      const whatToDo = 'Put name, contact and policies of your own into a copy elsewhere, and name it by RUSHES_ARCHIVE_CONFIG.';
      findings.push(makeHint('archive.config.json', says, whatToDo));
    },
    error: (_event, fields) => {
      const says = `${archiveFile} is not used: ${String(fields?.fault)}. The archive runs under a neutral name, and guests only see counts.`;
      findings.push(makeHint('archive.config.json', says, 'Correct the file; contract/archive.ts explains each field.'));
    },
  });
  return findings;
}

async function lookAtWatchedFolder(ingest: IngestConfig): Promise<Finding[]> {
  try {
    await checkWatchedFolder(ingest);
    return [];
  } catch (error) {
    return [makeFault('watched folder', errorMessageOf(error), 'The worker will not start until this is fixed.')];
  }
}

async function lookOutside(config: Config): Promise<Finding[]> {
  const seen = await openOutlook(config).look();
  const certificates = (seen?.certificates ?? []).flatMap((certificate) => {
    const { of, endsAt, fault: wrong } = certificate;
    if (checkCertificateEnd(certificate, Date.now()))
      return [
        makeFault(
          'certificate',
          `The certificate of ${of} expires on ${endsAt}.`,
          'Renew it; check that certbot or Caddy, which should do so, is running.',
        ),
      ];
    return wrong === null
      ? []
      : [
          makeHint(
            'certificate',
            `The certificate of ${of} could not be verified from here: ${wrong}.`,
            'Open the archive from another machine.',
          ),
        ];
  });
  const providers = (seen?.providers ?? []).flatMap(({ id, fault: wrong }) =>
    wrong === null
      ? []
      : [
          makeFault(
            'provider',
            `Nobody can sign in with ${id}: ${wrong}.`,
            'Compare its id and secret with what the provider shows; a secret may have expired.',
          ),
        ],
  );
  return [...certificates, ...providers];
}
