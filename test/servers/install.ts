import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

/**
 * What tests need of Debian: servers, a browser, and programs that try our files: `promtool`, `systemd-analyze` and
 * `docker-compose`.
 */
export type ServerName = keyof typeof PACKAGES;

const PACKAGES = {
  slapd: ['slapd', 'ldap-utils'],
  samba: [
    'samba-ad-dc',
    'samba-ad-provision',
    'samba-dsdb-modules',
    'winbind',
    'krb5-user',
    'ldb-tools',
    'ldap-utils',
  ],
  ds389: ['389-ds-base', 'ldap-utils'],
  postgres: ['postgresql'],
  mariadb: ['mariadb-server'],
  redis: ['redis-server'],
  glewlwyd: ['glewlwyd'],
  chromium: ['chromium', 'fonts-dejavu-core'],
  prometheus: ['prometheus'],
  systemd: ['systemd'],
  compose: ['docker-compose'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const SERVER_NAMES = Object.keys(PACKAGES) as readonly ServerName[];

/** Newest PostgreSQL's folder of programs, which Debian keeps out of PATH; `null`: none. */
export function postgresFolder(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  return (
    versions.map((version) => `${root}/${version}/bin`).find((path) => existsSync(`${path}/initdb`)) ?? null
  );
}

export const CHROMIUM = '/usr/bin/chromium';

const PRESENT = {
  slapd: () => existsSync('/usr/sbin/slapd') && existsSync('/usr/bin/ldapmodify'),
  samba: () =>
    existsSync('/usr/sbin/samba') &&
    existsSync('/usr/share/samba/setup') &&
    existsSync('/usr/bin/ldapmodify'),
  ds389: () => existsSync('/usr/sbin/ns-slapd') && existsSync('/usr/bin/ldapmodify'),
  postgres: () => postgresFolder() !== null,
  mariadb: () => existsSync('/usr/sbin/mariadbd') && existsSync('/usr/bin/mariadb-install-db'),
  redis: () => existsSync('/usr/bin/redis-server'),
  glewlwyd: () => existsSync('/usr/bin/glewlwyd'),
  chromium: () => existsSync(CHROMIUM),
  prometheus: () => existsSync('/usr/bin/promtool'),
  systemd: () => existsSync('/usr/bin/systemd-analyze'),
  compose: () => existsSync('/usr/bin/docker-compose'),
} as const satisfies Record<ServerName, () => boolean>;

/** Whether this machine has the server; says so loudly where not, so that a skipped suite is seen. */
export function hasServer(name: ServerName): boolean {
  const present = PRESENT[name]();
  if (!present) console.error(`SKIPPED: no ${name} on this machine, and it could not be installed.`);
  return present;
}

/** Installs what is missing, where this runs as root on Debian. Call it once, before any test worker starts. */
export function ensureServers(): void {
  const missing = SERVER_NAMES.filter((name) => !PRESENT[name]());
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`Not root on Debian: cannot install ${missing.join(', ')}; their suites are skipped.`);
    return;
  }
  try {
    installPackages(missing.flatMap((name) => PACKAGES[name]));
  } catch (error) {
    console.error(`Installing ${missing.join(', ')} failed; their suites are skipped.`, error);
  }
}

const POLICY = '/usr/sbin/policy-rc.d';

/** A `policy-rc.d` that answers 101 keeps the packages from starting their services; containers often have one. */
export function installPackages(packages: readonly string[]): void {
  const ours = !existsSync(POLICY);
  if (ours) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    aptInstall(packages);
  } finally {
    if (ours) rmSync(POLICY);
  }
}

function aptInstall(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] as const, timeout: 280_000 };
  console.error(`Installing for the tests: ${packages.join(' ')}`);
  execFileSync('apt-get', ['update', '-qq'], { ...options, stdio: [...options.stdio] });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    ...options,
    stdio: [...options.stdio],
  });
}
