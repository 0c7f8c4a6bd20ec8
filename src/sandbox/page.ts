import { createHash } from 'node:crypto';
import { writeJson } from '../interface/json.ts';
import { escapeHidden } from '../domain/text/printable.ts';
import { Markup, markup } from '../page/markup.ts';
import type { Backend } from './http/backend.ts';
import type { CallLog, SandboxCall } from './http/call-log.ts';
import type { Callbacks } from './http/callbacks.ts';
import type { Answer, Received } from './http/server.ts';
import type { EmployeeRecord, OrganizationRecord } from './world/records.ts';
import type { World } from './world/world.ts';

interface PageDeps {
  readonly backend: Backend;
  readonly log: CallLog;
  readonly callbacks: Callbacks;
}

/** Rows that each list shows at most; the tree has more of them. */
const ROWS = 200;
const UNITS = 2000;

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
label { display: block; }
pre { white-space: pre-wrap; }
`;

/** Allows no script, no other style, and no page of others around it. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Answers the sandbox's own page at `/`, where the interface has no operation: what there is now, without a script. */
export async function pageAnswer(deps: PageDeps, received: Received): Promise<Answer> {
  const { method, query } = received;
  if (!isAdmitted(received))
    return { http: 403, headers: HEADERS, body: 'Only this machine’s own page may ask for this.' };
  if (method !== 'GET' && method !== 'POST') return { http: 404, headers: HEADERS, body: 'no such path' };
  const outcome = method === 'POST' ? await sendAnswer(received, deps.callbacks) : '';
  return { http: 200, headers: HEADERS, body: render(deps, query, outcome).text };
}

/**
 * Refuses another host's name, which means that a page elsewhere had its name point here (DNS rebinding), and an answer
 * that another page sends.
 */
function isAdmitted({ method, request: { headers, socket } }: Received): boolean {
  const host = `http://${headers.host ?? ''}`;
  const name = URL.canParse(host) ? new URL(host).hostname.replaceAll(/^\[|\]$/gu, '') : '';
  const local = ['localhost', '::1', socket.localAddress?.replace('::ffff:', '')];
  const isLocal = local.includes(name) || /^127(?:\.\d{1,3}){3}$/u.test(name);
  return isLocal && (method === 'GET' || headers.origin === host);
}

/** Sends what a person answers, as the service would (interface: Events); returns what became of it. */
async function sendAnswer({ body }: Received, callbacks: Callbacks): Promise<string> {
  const form = new URLSearchParams(body.toString());
  const [username, content] = [form.get('username') ?? '', form.get('text') ?? ''];
  if (username === '' || content === '') return 'An answer needs a username and a text.';
  const sent = await callbacks.send({ msg_type: 'text', from_user_name: username, content });
  return sent.http === undefined
    ? `Not delivered: ${sent.problem ?? 'no answer'}`
    : `The receiver answered ${sent.http}: ${sent.reply ?? ''}`;
}

/** Returns the page; `query` has the unit whose people are shown, or a part of a name that is searched. */
function render({ backend, log, callbacks }: PageDeps, query: URLSearchParams, outcome: string): Markup {
  const { world } = backend;
  const { identity } = backend.options;
  const { organizations, employees, medias, pushes, schedules } = world;
  const calls = Object.values(log.counts).reduce((sum, count) => sum + count, 0);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<h1>Sandbox</h1>
<p>Domain ${foreign(identity.domainId)}, organization ${foreign(identity.orgCode)}. As it is now; reload it to see more.</p>
<main>
${section('Units', organizations.size, tree(world))}
${section('People', employees.size, people(world, query))}
${section('Messages', pushes.size, messages(world))}
${answerForm(callbacks.isConfigured, outcome)}
${section(
  'Medias',
  medias.size,
  newest(
    medias.all(),
    ({ id, name, type, bytes }) => markup`${id}: ${foreign(name)}, ${foreign(type)}, ${bytes.length} bytes`,
  ),
)}
${section(
  'Schedules',
  schedules.size,
  newest(
    schedules.all(),
    ({ scheduleId, fields }) => markup`${scheduleId}: ${foreign(writeJson(fields['summary'] ?? ''))}`,
  ),
)}
${section('Calls', calls, newest(log.calls, callLine))}
</main>
</body>
</html>
`;
}

/** Returns text from outside: its hidden characters are escapes, and its direction does not spread. */
function foreign(text: string): Markup {
  return markup`<bdi>${text.split('\n').map(escapeHidden).join('\n')}</bdi>`;
}

function section(title: string, count: number, content: Markup): Markup {
  return markup`<section>
<h2>${title} (${count.toLocaleString('en')})</h2>
${content}
</section>`;
}

/** Returns a list of the newest records, the newest first. */
function newest<R>(records: Iterable<R>, line: (record: R) => Markup): Markup {
  return list(Array.from(records).toReversed(), line);
}

function list<R>(records: readonly R[], line: (record: R) => Markup): Markup {
  const more = records.length - ROWS;
  return markup`<ul>
${records.slice(0, ROWS).map((record) => markup`<li>${line(record)}</li>`)}
</ul>
${more > 0 ? markup`<p>… and ${more.toLocaleString('en')} more.</p>` : markup``}`;
}

/** Returns the units as lists within lists; each leads to its people. */
function tree({ organizations, employees }: World): Markup {
  let remaining = UNITS;
  const branch = ({ id, name }: OrganizationRecord): Markup => {
    remaining -= 1;
    const below = organizations.childrenOf(id).flatMap((child) => (remaining > 0 ? [branch(child)] : []));
    const lists = below.length === 0 ? markup`` : markup`<ul>${below}</ul>`;
    return markup`<li><a href="/?unit=${id}">${foreign(name)}</a> ${employees.countBelow(id)}${lists}</li>`;
  };
  const root = branch(organizations.root);
  const more = organizations.size - UNITS;
  return markup`<ul>${root}</ul>${more > 0 ? markup`<p>… and ${more.toLocaleString('en')} more.</p>` : markup``}`;
}

function people(world: World, query: URLSearchParams): Markup {
  const unit = query.get('unit');
  const search = (query.get('search') ?? '').trim().toLowerCase();
  const fits = ({ id, username, name, positions }: EmployeeRecord): boolean =>
    (unit === null || positions.some(({ orgId }) => orgId === unit)) &&
    [id, username, name].some((text) => text.toLowerCase().includes(search));
  return markup`<form><label>Name, username or id <input type="search" name="search" value="${search}"></label></form>
<p>${unit === null ? 'All units.' : markup`In ${foreign(world.organizations.namePath(unit))}. <a href="/">All units</a>`}</p>
${list(Array.from(world.employees.all()).filter(fits), (employee) => personLine(world, employee))}`;
}

function personLine(
  { organizations }: World,
  { id, username, name, locked, positions }: EmployeeRecord,
): Markup {
  const places = positions.map(({ orgId, jobTitle }) =>
    [organizations.namePath(orgId), ...(jobTitle === undefined ? [] : [jobTitle])].join(': '),
  );
  return markup`<strong>${foreign(name)}</strong> ${foreign(username)} ${locked ? 'locked' : 'enabled'}, ${id}: ${foreign(places.join('; '))}`;
}

/** Recipients of a message that are named. */
const NAMED = 50;

function messages({ pushes, users }: World): Markup {
  return newest(pushes.all(), ({ id, type, shown, recipients, refreshed }) => {
    const names = recipients.slice(0, NAMED).map((user) => users.get(user)?.username ?? user);
    const to = `${names.join(', ')}${recipients.length > NAMED ? ', …' : ''}`;
    return markup`${timeOf(refreshed)} ${type} ${id} to ${recipients.length}: ${foreign(to)}<pre>${foreign(shown)}</pre>`;
  });
}

function answerForm(isEnabled: boolean, outcome: string): Markup {
  if (!isEnabled)
    return markup`<p>Answers of people have no address: start the sandbox with --callback URL.</p>`;
  return markup`<form method="post" autocomplete="off">
<h3>Answer as a person</h3>
<label>Username <input name="username" required></label>
<label>Text <textarea name="text" required></textarea></label>
<button>Send</button>
<p role="status">${foreign(outcome)}</p>
</form>`;
}

function callLine({ at, operation, method, path, http, status, fault }: SandboxCall): Markup {
  const results = [http, status === undefined ? undefined : `status ${status}`, fault];
  const outcome = results.filter((word) => word !== undefined).join(', ') || 'no answer';
  return markup`${timeOf(at)} <strong>${operation}</strong> ${outcome}: ${foreign(`${method} ${path}`)}`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
