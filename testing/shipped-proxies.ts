import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RunningProxy, startCaddy, startNginx } from './start-proxy.ts';

export interface ProxyGround {
  /** Where the archive listens, as `127.0.0.1:4000`. */
  readonly archive: string;
  readonly certificate: { readonly key: string; readonly cert: string };
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** The configurations that are shipped, on other ports, with other folders and a certificate of a test; all else as it is. */
export const shippedProxies: Readonly<Record<'nginx' | 'caddy', (ground: ProxyGround) => Promise<RunningProxy | null>>> = {
  nginx: (ground) => startNginx((folder) => nginxSite(folder, ground), ground.httpsPort),
  caddy: (ground) => startCaddy((folder) => caddyfile(folder, ground), ground.httpsPort),
};

function nginxSite(folder: string, { archive, httpPort, httpsPort, certificate }: ProxyGround): string {
  const [cert, key] = writeCertificate(folder, certificate);
  return replaceAll(shipped('nginx.conf'), {
    'listen [::]:80;': '',
    'listen [::]:443 ssl http2;': '',
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${httpsPort} ssl http2; listen 127.0.0.2:${httpsPort} ssl http2;`,
    '/etc/ssl/rushes/cert.pem': cert,
    '/etc/ssl/rushes/key.pem': key,
    '/var/log/nginx/rushes-access.log': join(folder, 'access.log'),
    '/var/log/nginx/rushes-error.log': join(folder, 'error.log'),
    // Of every machine only this folder is known to be there: what lies below it nginx is to make itself.
    '/var/cache/': `${folder}/`,
    'server 127.0.0.1:4000;': `server ${archive};`,
    'limit_conn rushes_each 100;': 'limit_conn rushes_each 5;',
  });
}

function caddyfile(folder: string, { archive, httpPort, httpsPort, certificate }: ProxyGround): string {
  const [cert, key] = writeCertificate(folder, certificate);
  return replaceAll(shipped('Caddyfile'), {
    '{\n\tservers {': `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tservers {`,
    '{$ARCHIVE_NAME:archive.example} {\n': `{$ARCHIVE_NAME:archive.example} {\n\ttls ${cert} ${key}\n`,
    '/var/log/caddy/rushes.log': join(folder, 'access.log'),
    '{$ARCHIVE_ADDRESS:127.0.0.1:4000}': archive,
  });
}

function shipped(name: string): string {
  return readFileSync(resolve(import.meta.dirname, '..', 'deploy', name), 'utf8');
}

function writeCertificate(folder: string, { key, cert }: ProxyGround['certificate']): [cert: string, key: string] {
  const paths: [string, string] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(paths[0], cert);
  writeFileSync(paths[1], key, { mode: 0o600 });
  return paths;
}

function replaceAll(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the configuration holds no ${JSON.stringify(from)}`);
    return changed.replaceAll(from, () => to);
  }, text);
}
