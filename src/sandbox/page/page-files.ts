import { readFileSync } from 'node:fs';
import { beside } from '../../lib/beside.ts';
import { STYLE } from '../../page/style.ts';

/** A file of the page, with its Content-Type. */
interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** Folder in whose layout scripts have their addresses, so that their imports need no change. */
const SCRIPTS = '/sandbox/script/';

const MODULES: ReadonlySet<string> = new Set([
  'page/browser/elements.js',
  'sandbox/page/browser/shown.js',
  'sandbox/page/browser/rows.js',
  'sandbox/page/browser/units.js',
  'sandbox/page/browser/answer-box.js',
  'sandbox/page/browser/sandbox-page.js',
]);

/** Returns the file at an address of the page; `undefined` where there is none. */
export function pageFile(path: string): PageFile | undefined {
  if (path === '/') return { type: 'text/html', text: PAGE_HTML };
  if (path === '/sandbox/style.css') return { type: 'text/css', text: STYLE + OWN_STYLE };
  const module = path.startsWith(SCRIPTS) ? path.slice(SCRIPTS.length) : '';
  if (!MODULES.has(module)) return undefined;
  const text = readFileSync(beside(module), 'utf8');
  return { type: 'text/javascript', text: text.replaceAll(/^\/\/# sourceMappingURL=.*$/gmu, '') };
}

/** Sections of the page, by the name of their view. */
const SECTIONS = {
  units: 'Organizations',
  people: 'Employees',
  messages: 'Messages',
  medias: 'Medias',
  schedules: 'Schedules',
  calls: 'Calls',
} as const;

const SEARCH = `<div class="tools"><div class="search"><label for="search">Search by name, username or id</label>
<input type="search" id="search" autocomplete="off" spellcheck="false"></div></div>`;

const ANSWER = `<form id="answer" class="hold" autocomplete="off">
<h3 id="answer-title">Answer as a person</h3>
<p id="no-callback" hidden><strong>Switched off:</strong> answers have no address. Start the sandbox with <code>--callback URL</code>.</p>
<fieldset id="answering" aria-labelledby="answer-title">
<p><label for="answered">Message</label> <select id="answered"></select></p>
<p><label for="person">Username</label> <input id="person" list="recipients" required spellcheck="false"></p>
<datalist id="recipients"></datalist>
<p><label for="text">Text</label> <textarea id="text" rows="3" required></textarea></p>
<p><button class="plain" id="send">Send</button></p>
</fieldset>
<div id="outcome" role="status" aria-live="polite"></div>
</form>`;

/** What stands above the list of a section. */
const ABOVE: Readonly<Record<string, string>> = { people: SEARCH, messages: ANSWER };

const links = Object.entries(SECTIONS).map(
  ([name, title]) => `<li><a class="chip" href="#${name}">${title} <span id="count-${name}"></span></a></li>`,
);

const sections = Object.entries(SECTIONS).map(
  ([name, title]) => `<section id="${name}" aria-labelledby="title-${name}" hidden>
<h2 id="title-${name}" tabindex="-1">${title}</h2>
${ABOVE[name] ?? ''}
<div class="content"></div>
</section>`,
);

/** The page without any of its data, which its script asks for. */
const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox/style.css">
<script type="module" src="/sandbox/script/sandbox/page/browser/sandbox-page.js"></script>
</head>
<body>
<header>
<h1>Sandbox</h1>
<p class="quiet" id="identity"></p>
<p class="alarm" id="trouble" role="alert"></p>
<nav aria-label="Sections"><ul class="chips">
${links.join('\n')}
</ul></nav>
</header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;

/** What the sandbox's page adds to the style of the plan. */
const OWN_STYLE = `
a { color: var(--link); }
a.chip { text-decoration: none; color: inherit; }
a.chip[aria-current="true"] { border-color: var(--chosen); background: var(--chosen); color: var(--on-chosen); }
[hidden] { display: none !important; }
nav .chips { padding: 0; }
.rows > li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.rows .text { white-space: pre-wrap; }
.rows img { display: block; max-width: 8rem; max-height: 6rem; margin: .3rem 0; border: 1px solid var(--line); }
#answer { border-left-color: var(--link); background: var(--card); margin-bottom: 1rem; }
#answer label { display: block; color: var(--quiet); font-size: .9rem; }
#answer input, #answer select, #answer textarea { width: 100%; max-width: 40rem; padding: .4rem .6rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
#answer fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
#answer.off { border-left-color: var(--quiet); border-left-style: dashed; background: var(--soft); }
#answer :disabled { border-style: dashed; background: transparent; color: var(--quiet); opacity: 1; cursor: not-allowed; }
#answer code { white-space: nowrap; }
.tree nav { margin: .3rem 0; padding-left: 1.2rem; }
summary { cursor: pointer; }
summary .sign { width: auto; }
.call > * { margin-right: .5rem; }
.call .why { padding-left: 0; }
.call time, .call .ms { font-variant-numeric: tabular-nums; }
pre { margin: .2rem 0 .6rem; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); white-space: pre-wrap; font: .88em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
`;
