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
  SECRETS_KEY: 'x'.repeat(43),
};
const fill = (text: string) => text.replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (whole, name: string) => given[name] ?? whole);

/** The same in a secret of a cluster, where its name stands for it. */
const fillIn = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, given[text] ?? text]));

const Yaml = z.object({ parseAllDocuments: z.custom<(text: string, options: object) => { errors: unknown[]; toJS(): unknown }[]>() });
// The parser that knip brings.
const yaml = Yaml.parse(createRequire(join(root, 'node_modules', 'knip', 'package.json'))('yaml'));

function readYaml(name: string): unknown[] {
  return yaml.parseAllDocuments(shipped(name), { merge: true, strict: true, uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors}`);
    return document.toJS();
  });
}

/** A volume as `what:where`, or a file of the operator's, which has to be there. */
const Mount = z.union([
  z.string(),
  z
    .object({
      type: z.literal('bind'),
      source: z.string(),
      target: z.string(),
      read_only: z.literal(true),
      bind: z.object({ create_host_path: z.literal(false) }),
    })
    .transform(({ source, target }) => `${source}:${target}:ro`),
]);
const Service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(Mount).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  stop_grace_period: z.string().default('10s'),
});
const Compose = z.looseObject({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

/** A compose file, as far as it is looked at. */
export const readCompose = (name: string) => Compose.parse(readYaml(name)[0]);

const Probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.looseObject({
  name: z.string(),
  args: z.array(z.string()).optional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
});
const Volume = z.looseObject({ name: z.string(), emptyDir: z.object({ sizeLimit: z.string() }).optional() });
const Pod = z.looseObject({
  terminationGracePeriodSeconds: z.number().default(30),
  containers: z.array(Container),
  volumes: z.array(Volume),
});
const Kind = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  stringData: z.record(z.string(), z.string()).default({}),
  spec: z
    .looseObject({
      template: z.looseObject({ spec: Pod }).optional(),
      jobTemplate: z.object({ spec: z.looseObject({ template: z.object({ spec: Pod }) }) }).optional(),
    })
    .optional(),
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
  const deployed = ofCluster((spec) => spec?.template?.spec);
  const composed = composeFiles.flatMap(ofCompose).filter(({ command }) => command.includes('commands/start.ts'));
  return [...composed, ...deployed, ...units.filter((name) => !name.startsWith('rushes-backup')).map((name) => ofUnit(name, settings))];
}

/** Every nightly backup that they start, likewise. */
export function shippedBackups(settings: Readonly<Record<string, string>>): ShippedProcess[] {
  const jobs = ofCluster((spec) => spec?.jobTemplate?.spec.template.spec);
  const composed = composeFiles.flatMap(ofCompose).filter(({ command }) => command.includes('commands/backup.ts'));
  return [...composed, ...jobs, ofUnit(backupUnit, settings)];
}

const composeFiles = ['compose.yaml', 'compose.several.yaml'];
const units = shippedFiles.map(({ name }) => name).filter((name) => name.endsWith('.service'));
const backupUnit = 'rushes-backup.service';

function ofCompose(file: string): ShippedProcess[] {
  const image = readImage();
  return Object.entries(readCompose(file).services).flatMap(([name, { image: of, command, environment, stop_grace_period: grace }]) => {
    if (of !== 'rushes') return [];
    const env = { ...image.env, ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)])) };
    return [{ name: `${file} ${name}`, env, command: command ?? image.command, graceSeconds: Number.parseInt(grace, 10) }];
  });
}

function ofCluster(podOf: (spec: z.infer<typeof Kind>['spec']) => z.infer<typeof Pod> | undefined): ShippedProcess[] {
  const objects = readCluster();
  const image = readImage();
  const from = (name: string) =>
    objects.filter(({ metadata }) => metadata.name === name).flatMap(({ data, stringData }) => [data, fillIn(stringData)]);
  return objects.flatMap(({ metadata, spec }) => {
    const pod = podOf(spec);
    return (pod?.containers ?? []).map(({ env, envFrom, args }) => ({
      name: `kubernetes.yaml ${metadata.name}`,
      env: Object.assign(
        { ...image.env },
        ...envFrom.flatMap((one) => Object.values(one).flatMap(({ name }) => from(name))),
        Object.fromEntries(env.map(({ name, value }) => [name, value])),
      ),
      command: args ?? image.command,
      graceSeconds: pod?.terminationGracePeriodSeconds ?? 0,
    }));
  });
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
