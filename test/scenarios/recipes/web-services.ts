import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { makeClientCertificate, makePrivateCa } from '../../servers/private-ca.ts';
import type { Kitchen } from './company.ts';
import type { Filling } from './recipe.ts';
import {
  bamboohr,
  graph,
  hibob,
  keycloak,
  odoo,
  okta,
  personio,
  successfactors,
  workday,
  type Asked,
  type Fact,
  type Reply,
  type Vendor,
} from './vendors.ts';

const person = (id: string, name: string, department: string, title: string): Fact => {
  const [given = '', family = ''] = name.split(' ');
  return { id, login: given.toLowerCase(), given, family, department, title, hasLeft: false };
};

/** Enough for several pages; nobody is alone in a department that empties. */
const STAFF: readonly Fact[] = [
  person('101', 'Ann Ash', 'Board', 'Boss'),
  person('102', 'Bob Birch', 'Sales', 'Seller'),
  person('103', 'Cyd Čapek', 'Sales', 'Seller'),
  person('104', 'Dee Doe', 'Sales', ''),
  person('105', 'Eve Eder', 'Lab', 'Chemist'),
  person('106', 'Fay Ford', 'Lab', 'Chemist'),
];

interface Service {
  readonly recipe: string;
  readonly vendor: Vendor;
  /** What each marked line gets, with `HERE` for the address of the stand-in. */
  readonly fillings: readonly Filling[];
  readonly secrets: Readonly<Record<string, string>>;
  /** What all units are below. */
  readonly root?: string;
  /** Shows its client a certificate of a private authority, and wants one of it. */
  readonly isMutual?: true;
}

const KEY = 'good-token';
const kept = (...words: readonly string[]): readonly Filling[] => words.map((word) => [word, word]);
const MAIL = kept("split('@')");

const SERVICES: readonly Service[] = [
  {
    recipe: 'bamboohr',
    vendor: bamboohr,
    fillings: [['https://acme.bamboohr.com', 'HERE'], ...MAIL],
    secrets: { 'bamboohr-key': btoa(`${KEY}:x`) },
  },
  {
    recipe: 'personio',
    vendor: personio,
    fillings: [
      ['https://api.personio.de', 'HERE'],
      ...kept('papi-0000'),
      ['perSecond: 4', 'perSecond: 400'],
      ...MAIL,
    ],
    secrets: { 'personio-secret': KEY },
  },
  {
    recipe: 'hibob',
    vendor: hibob,
    fillings: [
      ['https://api.hibob.com', 'HERE'],
      ['SERVICE-00000', 'SERVICE-1'],
      ['3332883884017713238', '101'],
      ...MAIL,
    ],
    secrets: { 'hibob-token': KEY },
  },
  {
    recipe: 'workday',
    vendor: workday,
    fillings: [
      ['https://wd2-impl-services1.workday.com', 'HERE'],
      ['21001', '101'],
    ],
    secrets: { 'workday-password': KEY },
    root: 'Company/',
  },
  {
    recipe: 'successfactors',
    vendor: successfactors,
    fillings: [
      ['https://api4.successfactors.com', 'HERE'],
      ['certFile: /etc/ssl/rollcall.pem', 'caFile: ca.pem, certFile: reader.pem'],
      ['/etc/ssl/rollcall.key', 'reader.key'],
    ],
    secrets: {},
    root: 'Company/',
    isMutual: true,
  },
  {
    recipe: 'odoo-json',
    vendor: odoo,
    fillings: [['https://acme.odoo.com', 'HERE'], ...kept('X-Odoo-Database: acme'), ...MAIL],
    secrets: { 'odoo-key': KEY },
    root: 'Company/',
  },
  {
    recipe: 'entra',
    vendor: graph,
    fillings: [
      ['https://graph.microsoft.com', 'HERE'],
      ['https://login.microsoftonline.com/TENANT', 'HERE/acme'],
      ['00000000-0000-0000-0000-000000000000', 'app'],
      ...MAIL,
    ],
    secrets: { 'entra-secret': KEY },
  },
  {
    recipe: 'okta',
    vendor: okta,
    fillings: [['https://acme.okta.com', 'HERE'], ...kept('DEPROVISIONED'), ...MAIL],
    secrets: { 'okta-token': KEY },
  },
  {
    recipe: 'keycloak',
    vendor: keycloak,
    fillings: [['https://sso.example.com', 'HERE'], ...kept('clientId: rollcall')],
    secrets: { 'keycloak-secret': KEY },
    root: 'Company/',
  },
];

const NOTHING: Reply = { status: 404, body: { error: 'not found' } };

/** Answers as a vendor does, until the end of the test. Returns its address. */
async function serve(vendor: Vendor, staff: () => readonly Fact[], folder: string | null): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    const isForm = request.headers['content-type']?.includes('form') === true;
    const body = isForm
      ? Object.fromEntries(new URLSearchParams(sent))
      : (JSON.parse(sent || '{}') as Asked['body']);
    const asked = { url: new URL(request.url ?? '/', here), body, headers: request.headers };
    const { status = 200, headers, body: given } = vendor(asked, staff()) ?? NOTHING;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof given === 'string' ? given : JSON.stringify(given));
  };
  const listener: RequestListener = (request, response) => void answer(request, response);
  const http = folder === null ? createServer(listener) : createSecure(mutual(folder), listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const here = `${folder === null ? 'http' : 'https'}://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return here;
}

/** Makes an authority, and certificates of a server and of a client, in a folder. */
function mutual(folder: string) {
  const { caFile, certFile, keyFile } = makePrivateCa(folder);
  makeClientCertificate(folder, 'reader');
  const [ca, cert, key] = [caFile, certFile, keyFile].map((file) => readFileSync(file));
  return { ca, cert, key, requestCert: true, rejectUnauthorized: true };
}

const lineOf = (root: string, { login, given, family, department, title }: Fact): string =>
  `${login}, ${given} ${family}: ${[root + department, title].filter((word) => word !== '').join(' ')}`;

function kitchenOf({ recipe, vendor, fillings, secrets, root = '', isMutual }: Service): Kitchen {
  return {
    recipe,
    needs: [],
    async open(_servers, folder) {
      let staff = STAFF;
      const here = await serve(vendor, () => staff, isMutual === true ? folder : null);
      const change = (login: string, other: Partial<Fact>) => (): void => {
        staff = staff.map((one) => (one.login === login ? { ...one, ...other } : one));
      };
      return {
        fillings: fillings.map(([example, filled]) => [example, filled.replace('HERE', here)]),
        secrets,
        loaded: STAFF.map((one) => lineOf(root, one)),
        leavings: [
          { what: 'the record says so', who: 'bob', happens: change('bob', { hasLeft: true }) },
          {
            what: 'the record is gone',
            who: 'cyd',
            isMissing: true,
            happens: () => void (staff = staff.filter(({ login }) => login !== 'cyd')),
          },
        ],
        change: {
          what: 'somebody works in another department',
          happens: change('eve', { department: 'Sales' }),
          shows: [lineOf(root, { ...STAFF[4]!, department: 'Sales' })],
        },
      };
    },
  };
}

export const WEB_SERVICES: readonly Kitchen[] = SERVICES.map(kitchenOf);
