import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsFrom } from '../../src/config/load-settings.ts';
import { ROOT } from '../readme/page.ts';
import { IMAGE } from './image.ts';
import {
  MANIFESTS,
  manifestsOf,
  problemsOf,
  unknownKeysOf,
  type Manifest,
  type PodSpec,
} from './manifests.ts';

const ALL = MANIFESTS.map(([, manifest]) => manifest);

function only<T>(kind: string): T {
  const [found, other] = ALL.filter((manifest) => manifest.kind === kind);
  if (found === undefined || other !== undefined) throw new Error(`not one ${kind}`);
  return found as T;
}

interface OfPods {
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: unknown }; readonly spec: PodSpec };
  };
}
type Texts = Readonly<Record<string, string>>;
const daemon = only<OfPods & { readonly spec: { readonly replicas: number } }>('StatefulSet').spec;
const firstLoad = only<OfPods & { readonly spec: { readonly backoffLimit: number } }>('Job').spec;
const containerOf = ({ template }: OfPods['spec']) => template.spec.containers[0]!;
const container = containerOf(daemon);
const configuration = only<{ readonly data: Texts }>('ConfigMap').data['rollcall.yaml'] ?? '';
const PORT = 8080;

describe('the manifests of Kubernetes', () => {
  test.each(MANIFESTS)('%s keeps to the schema of its kind', async (_file, manifest) => {
    expect(await problemsOf(manifest)).toBe('');
  });

  test('have no key that their kind does not have', () => {
    expect(unknownKeysOf(ALL)).toEqual([]);
    const wrong = { ...only<Manifest>('Service'), sepc: {} };
    expect(unknownKeysOf([wrong]).join()).toContain('"sepc"');
  });

  test('have a configuration that loads, and a secret for each file that it names', () => {
    const named = Array.from(configuration.matchAll(/\$\{file:([^}]+)\}/gu), ([, path = '']) => path);
    const folder = '/run/secrets';
    const { stringData } = only<{ readonly stringData: Texts }>('Secret');
    expect(named).toEqual(Object.keys(stringData).map((name) => `${folder}/${name}`));
    const { settings } = settingsFrom(
      configuration.replaceAll(/\$\{file:[^}]+\}/gu, 'x'),
      'rollcall.yaml',
      {},
    );
    expect(settings.http?.listen).toEqual({ host: '0.0.0.0', port: PORT });
    expect(container.volumeMounts).toContainEqual({ name: 'secrets', mountPath: folder, readOnly: true });
  });

  test('are pods of the image: its user, its folders, one replica', () => {
    const { spec } = daemon.template;
    expect(daemon.replicas).toBe(1);
    expect(spec.securityContext).toMatchObject({
      runAsUser: IMAGE.user,
      runAsGroup: IMAGE.group,
      fsGroup: IMAGE.group,
    });
    const mounted = container.volumeMounts.map(({ mountPath, readOnly = false }) => [mountPath, readOnly]);
    expect(mounted).toEqual([
      [IMAGE.volume, false],
      [dirname(IMAGE.config), true],
      ['/run/secrets', true],
    ]);
    const secret = { secretName: 'rollcall', defaultMode: 0o440 };
    expect(spec.volumes).toContainEqual({ name: 'secrets', secret });
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
  });

  test.each([daemon, firstLoad])('are as the Pod Security Standard "restricted" asks for', (pods) => {
    const { spec } = pods.template;
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containerOf(pods).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
  });

  test('leave the mode of the ledger and its key alone when the volume is mounted again', () => {
    for (const { template } of [daemon, firstLoad])
      expect(template.spec.securityContext['fsGroupChangePolicy']).toBe('OnRootMismatch');
  });

  test('keep the pod in its Service while runs fail: no probe asks /readyz', () => {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    for (const probe of [startupProbe, readinessProbe, livenessProbe])
      expect(probe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    const { periodSeconds, failureThreshold } = livenessProbe!;
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(120);
  });

  test('meet at one port and one set of labels', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: PORT }]);
    const { labels } = daemon.template.metadata;
    const service = only<{ spec: { selector: unknown; ports: unknown } }>('Service').spec;
    expect(service).toMatchObject({ selector: labels, ports: [{ port: PORT, targetPort: 'http' }] });
    const monitor = only<{ spec: unknown }>('PodMonitor').spec;
    expect(monitor).toMatchObject({
      selector: { matchLabels: labels },
      podMetricsEndpoints: [{ port: 'http' }],
    });
    const policy = only<{ spec: { ingress: unknown; podSelector: unknown } }>('NetworkPolicy').spec;
    expect(policy.ingress).toMatchObject([{ ports: [{ port: PORT }] }]);
    expect(labels).toMatchObject({ 'app.kubernetes.io/name': 'rollcall' });
  });

  test('load first with the same pod as the daemon, once', () => {
    expect(firstLoad.backoffLimit).toBe(0);
    const { args, ...loads } = containerOf(firstLoad);
    const { ports: _p, startupProbe: _s, readinessProbe: _r, livenessProbe: _l, ...runs } = container;
    expect(args).toEqual(['sync']);
    expect(loads).toEqual(runs);
    const { restartPolicy, containers: _c, ...pod } = firstLoad.template.spec;
    const { containers: _d, ...daemonPod } = daemon.template.spec;
    expect(restartPolicy).toBe('Never');
    expect(pod).toEqual(daemonPod);
  });

  test('take the alerts as a rule of the Prometheus operator, by the command of the docs', async () => {
    const page = readFileSync(join(ROOT, 'docs/install/kubernetes.md'), 'utf8');
    const head = /printf '(?<head>apiVersion: [^']*)'/u.exec(page)?.groups?.['head'] ?? '';
    const alerts = readFileSync(join(ROOT, 'config/alerts.yaml'), 'utf8').replaceAll(/^/gmu, '  ');
    const manifests = manifestsOf(head.replaceAll(String.raw`\n`, '\n') + alerts);
    expect(manifests.map(({ kind }) => kind)).toEqual(['PrometheusRule']);
    for (const manifest of manifests) expect(await problemsOf(manifest)).toBe('');
    expect(unknownKeysOf(manifests)).toEqual([]);
  });
});
