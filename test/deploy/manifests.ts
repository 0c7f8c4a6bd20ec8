import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../readme/page.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** What the tests look at of a pod. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly restartPolicy?: string;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly volumes: readonly unknown[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Container extends Readonly<
  Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe | undefined>
> {
  readonly args?: readonly string[];
  readonly ports?: readonly unknown[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly mountPath: string; readonly readOnly?: boolean }[];
}

const FOLDER = join(ROOT, 'config/deploy/kubernetes');

/** All manifests of config/deploy/kubernetes, with the file that they are in. */
export const MANIFESTS: readonly (readonly [file: string, manifest: Manifest])[] = readdirSync(
  FOLDER,
).flatMap((file) =>
  manifestsOf(readFileSync(join(FOLDER, file), 'utf8')).map((manifest) => [file, manifest] as const),
);

/** Returns the objects of a YAML text; throws where it is no YAML. */
export function manifestsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Manifest;
  });
}

/** The module of the class that has the schema of a kind. */
const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

interface Model {
  readonly validate: () => void;
}

/** Returns what the JSON schema of its kind finds wrong with a manifest; empty: nothing. */
export async function problemsOf(manifest: Manifest): Promise<string> {
  const classes = (await import(moduleOf(manifest))) as Readonly<
    Record<string, new (data: Manifest) => Model>
  >;
  const Class = classes[manifest.kind];
  if (Class === undefined) return `no schema of ${manifest.kind}`;
  try {
    new Class(manifest).validate();
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Returns the keys that the kind of their manifest does not have: the schemas allow any, and a cluster ignores them. */
export function unknownKeysOf(manifests: readonly Manifest[]): readonly string[] {
  const lines = manifests.flatMap((manifest, index) => [
    `import type { I${manifest.kind} as Kind${index} } from '${moduleOf(manifest)}';`,
    `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`,
  ]);
  const file = join(ROOT, 'test/deploy/generated.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2023) : read(name, ...rest);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
