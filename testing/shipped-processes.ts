import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'deploy');

/** A process of an archive as a file of `deploy/` starts it. */
export interface ShippedProcess {
  /** The file, and what it is called there. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Seconds that it has to end. */
  readonly graceSeconds: number;
}

/** Every file of `deploy/` with its text. */
export const shippedFiles: readonly { readonly name: string; readonly text: string }[] = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));

const shipped = (name: string) => readFileSync(join(folder, name), 'utf8');

/** What an operator gives where a compose file asks for it. */
const given: Readonly<Record<string, string>> = {
  ARCHIVE_NAME: 'archive.example',
  DATABASE_PASSWORD: 'x',
  STORE_ACCESS_KEY: 'x',
  STORE_SECRET_KEY: 'x',
};
const fill = (text: string) => text.replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (whole, name: string) => given[name] ?? whole);

const Yaml = z.object({ parseAllDocuments: z.custom<(text: string, options: object) => { errors: unknown[]; toJS(): unknown }[]>() });
// The parser that knip brings.
const yaml = Yaml.parse(createRequire(join(root, 'node_modules', 'knip', 'package.json'))('yaml'));

function readYaml(name: string): unknown[] {
  return yaml.parseAllDocuments(shipped(name), { merge: true, strict: true, uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors}`);
    return document.toJS();
  });
}

const Service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  stop_grace_period: z.string().default('10s'),
});
const Compose = z.looseObject({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

/** A compose file, as far as it is looked at. */
export const readCompose = (name: string) => Compose.parse(readYaml(name)[0]);

const Probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.looseObject({
  name: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
});
const Volume = z.looseObject({ name: z.string(), emptyDir: z.object({ sizeLimit: z.string() }).optional() });
const Pod = z.looseObject({ terminationGracePeriodSeconds: z.number(), containers: z.array(Container), volumes: z.array(Volume) });
const Kind = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  stringData: z.record(z.string(), z.string()).default({}),
  spec: z.looseObject({ template: z.looseObject({ spec: Pod }).optional() }).optional(),
});

/** The objects of kubernetes.yaml. */
export const readCluster = () => z.array(Kind).parse(readYaml('kubernetes.yaml'));

/** What the image sets, and what it runs. */
export function readImage(): { env: Record<string, string>; command: string[]; healthCheck: string } {
  const text = shipped('Containerfile').replace(/\\\n\s*/g, '');
  const env = Object.fromEntries(
    [...(/^ENV (.+)$/m.exec(text)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const healthCheck = /^HEALTHCHECK .*$/m.exec(text)?.[0] ?? '';
  return { env, command: z.array(z.string()).parse(JSON.parse(/^CMD (.+)$/m.exec(text)?.[1] ?? '')), healthCheck };
}

/** The lines of a systemd unit, each with its name; a name may stand there more than once. */
export function readUnit(name: string): readonly (readonly [string, string])[] {
  return [...shipped(name).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]);
}

/** Every process of an archive that some file of `deploy/` starts. `settings` stand for what an operator adds to a unit. */
export function shippedProcesses(settings: Readonly<Record<string, string>>): ShippedProcess[] {
  return [...['compose.yaml', 'compose.several.yaml'].flatMap(ofCompose), ...ofCluster(), ...units.map((name) => ofUnit(name, settings))];
}

const units = shippedFiles.map(({ name }) => name).filter((name) => name.endsWith('.service'));

function ofCompose(file: string): ShippedProcess[] {
  const image = readImage();
  return Object.entries(readCompose(file).services).flatMap(([name, { image: of, command, environment, stop_grace_period: grace }]) => {
    if (of !== 'rushes' || command) return [];
    const env = { ...image.env, ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)])) };
    return [{ name: `${file} ${name}`, env, command: image.command, graceSeconds: Number.parseInt(grace, 10) }];
  });
}

function ofCluster(): ShippedProcess[] {
  const objects = readCluster();
  const image = readImage();
  const from = (name: string) =>
    objects.filter(({ metadata }) => metadata.name === name).flatMap(({ data, stringData }) => [data, stringData]);
  return objects.flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map(({ env, envFrom }) => ({
      name: `kubernetes.yaml ${metadata.name}`,
      env: Object.assign(
        { ...image.env },
        ...envFrom.flatMap((one) => Object.values(one).flatMap(({ name }) => from(name))),
        Object.fromEntries(env.map(({ name, value }) => [name, value])),
      ),
      command: image.command,
      graceSeconds: spec?.template?.spec.terminationGracePeriodSeconds ?? 0,
    })),
  );
}

function ofUnit(name: string, settings: Readonly<Record<string, string>>): ShippedProcess {
  const lines = readUnit(name);
  const all = (key: string) => lines.filter(([one]) => one === key).map(([, value]) => value);
  const own = all('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string]));
  return {
    name,
    env: { ...Object.fromEntries(own), ...settings },
    command: (all('ExecStart')[0] ?? '').split(' '),
    graceSeconds: Number.parseInt(all('TimeoutStopSec')[0] ?? '0', 10),
  };
}
