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
export const PAGE_HTML = `<!doctype html>
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
